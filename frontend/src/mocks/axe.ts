import axe from "axe-core";
import { expect } from "vitest";

/**
 * Expect that axe finds nothing under the WCAG 2.2 AA tags. Contrast needs a layout that jsdom
 * lacks: the tokens' test and the browser tests look at it.
 */
export async function expectAccessible(element: Element = document.body): Promise<void> {
  const { violations } = await axe.run(element, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    rules: { "color-contrast": { enabled: false } },
  });
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join()}`),
  ).toEqual([]);
}
