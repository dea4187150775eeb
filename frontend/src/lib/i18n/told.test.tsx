import { render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";

import { Said } from "../../components/ui/said";
import { showLanguage } from "./languages";
import { saidOf, toldSentence } from "./told";

const quoted = (name: string) => ({ code: "sentences.quoted", values: { name } });

beforeEach(() => showLanguage("es"));
afterEach(() => showLanguage("en"));

test("a sentence names what the server named, lists in the reader's own way", () => {
  const told = {
    code: "boards.without",
    values: { names: [quoted("Round 1"), quoted("Round 2"), quoted("dev")] },
  };
  expect(toldSentence(told)).toBe(
    "Sin «Round 1», «Round 2» y «dev», que no tiene variantes para ella.",
  );
});

test.each([
  [1, "Hay 1 ejemplo verificado que engañó; dev y test necesitan al menos 10."],
  [12_000, "Hay 12.000 ejemplos verificados que engañaron; dev y test necesitan al menos 10."],
])("%i verified examples are counted as Spanish counts", (count, sentence) => {
  expect(toldSentence({ code: "releases.lacks_verified", values: { count, least: 10 } })).toBe(
    sentence,
  );
});

test("a sentence within one is said too, and a failure by what failures are called", () => {
  const reason = { code: "releases.one_writer", values: {} };
  expect(toldSentence({ code: "releases.no_writers", values: { reason } })).toBe(
    "Test no tiene anotadores propios: una sola persona lo escribió todo.",
  );
  expect(toldSentence({ code: "datasets.not_found", values: {} })).toBe(
    "Ese conjunto de datos no existe.",
  );
});

test.each([
  { code: "scales.of_tomorrow", values: {} },
  { code: "jobs.unknown", values: {} },
  { code: "releases.no_writers", values: { reason: { code: "of.tomorrow", values: {} } } },
  { code: "boards.without", values: { names: [{ code: "of.tomorrow", values: {} }] } },
])("$code with $values leaves the server's sentence, marked as English", (told) => {
  expect(saidOf("Who knows.", told)).toBe("Who knows.");
  render(<Said sentence="Who knows." told={told} />);
  expect(screen.getByText("Who knows.")).toHaveAttribute("lang", "en");
});

test("in English the server's sentence stands, and nothing is marked", async () => {
  await showLanguage("en");
  render(<Said sentence="Nobody." told={{ code: "rates.nothing", values: {} }} />);
  expect(screen.getByText("Nobody.")).not.toHaveAttribute("lang");
});
