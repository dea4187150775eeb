import { describe, expect, test } from "vitest";

import { accent, colours, filledStep, type SchemeColours } from "./tokens";

/** The relative luminance of WCAG 2. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

const TEXT = 4.5;
const SHAPE = 3;

describe.each(["light", "dark"] as const)("in the %s scheme", (scheme) => {
  const c: SchemeColours = colours[scheme];

  test.each([c.page, c.surface, c.hover])("text reads on %s", (background) => {
    for (const text of [c.text, c.dimmed, c.link, c.good, c.bad, c.warning]) {
      expect(contrast(text, background)).toBeGreaterThanOrEqual(TEXT);
    }
  });

  test("words on their own surfaces read", () => {
    expect(contrast(c.good, c.goodSurface)).toBeGreaterThanOrEqual(TEXT);
    expect(contrast(c.bad, c.badSurface)).toBeGreaterThanOrEqual(TEXT);
    expect(contrast(c.warning, c.warningSurface)).toBeGreaterThanOrEqual(TEXT);
    for (const surface of [c.goodSurface, c.badSurface, c.warningSurface, c.mark]) {
      expect(contrast(c.text, surface)).toBeGreaterThanOrEqual(TEXT);
    }
  });

  test("white reads on a filled button", () => {
    expect(contrast("#ffffff", accent[filledStep[scheme]])).toBeGreaterThanOrEqual(TEXT);
  });

  test("a series is named in its own colour", () => {
    for (const colour of c.series) expect(contrast(colour, c.page)).toBeGreaterThanOrEqual(TEXT);
  });

  test("controls, focus rings and drawn lines stand out", () => {
    for (const shape of [c.border, c.focus, c.bar]) {
      expect(contrast(shape, c.page)).toBeGreaterThanOrEqual(SHAPE);
    }
  });
});
