import { screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { renderUi, schemes } from "../../mocks/render";
import { ProbabilityBars } from "./probability-bars";

const bars = (
  <ProbabilityBars
    probabilities={{ neutral: 0.14, contradiction: 0.81, entailment: 0.05 }}
    predicted={["contradiction"]}
    answered={["entailment"]}
  />
);

test("labels stand in the order of their probability, with who chose which in words", () => {
  renderUi(bars);
  const rows = screen.getAllByRole("listitem").map((row) => row.textContent);
  expect(rows).toEqual([
    "contradictionModel81\u00a0%",
    "neutral14\u00a0%",
    "entailmentYou5\u00a0%",
  ]);
});

test("of several labels each has a bar, and each that was chosen is named", () => {
  renderUi(
    <ProbabilityBars
      probabilities={{ sport: 0.5, money: 0.4, art: 0.1 }}
      predicted={["sport", "money"]}
      answered={["money", "art"]}
    />,
  );
  const rows = screen.getAllByRole("listitem").map((row) => row.textContent);
  expect(rows).toEqual(["sportModel50\u00a0%", "moneyModelYou40\u00a0%", "artYou10\u00a0%"]);
});

test.each(schemes)("the bars are accessible in %s", async (scheme) => {
  renderUi(bars, scheme);
  await expectAccessible();
});
