import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { renderUi, schemes } from "../../mocks/render";
import { RateText } from "./rate-text";

const rate = { value: 83 / 398, part: 83, whole: 398, low: 0.1716, high: 0.2512, method: "Wilson" };
const counted = "Fooling attempts out of all attempts.";

test("a rate stands with its interval and its counts", () => {
  renderUi(<RateText rate={rate} name="MER" howCounted={counted} />);
  expect(screen.getByRole("button")).toHaveTextContent("MER: 21 % ± 4, 83 of 398");
});

test("no data is a dash and says so", () => {
  const none = { value: null, part: 0, whole: 0, low: null, high: null };
  renderUi(<RateText rate={none} name="MER" howCounted={counted} />);
  const text = screen.getByRole("button");
  expect(text).toHaveTextContent("MER: –");
  expect(text).not.toHaveTextContent("0 of 0");
  expect(text).toHaveAccessibleDescription(`Nothing is counted yet. ${counted}`);
});

test("how it is counted shows when the keyboard gets there", async () => {
  renderUi(<RateText rate={rate} name="MER" howCounted={counted} />);
  await userEvent.tab();
  const tooltip = await screen.findByRole("tooltip");
  expect(tooltip).toHaveTextContent(
    `${counted} 95 % interval: 17.2 % to 25.1 % (Wilson). It is right for one look`,
  );
});

test.each(schemes)("a rate is accessible in %s", async (scheme) => {
  renderUi(<RateText rate={rate} name="MER" howCounted={counted} />, scheme);
  await expectAccessible();
});
