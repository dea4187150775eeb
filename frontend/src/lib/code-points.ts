/**
 * The server counts in Unicode code points, a browser in UTF-16 units. Offsets on the wire are
 * code points; these translate.
 */
export function toCodePointOffset(text: string, unitOffset: number): number {
  let points = 0;
  for (let unit = 0; unit < unitOffset && unit < text.length; points += 1) {
    unit += unitsAt(text, unit);
  }
  return points;
}

export function toUnitOffset(text: string, pointOffset: number): number {
  let unit = 0;
  for (let points = 0; points < pointOffset && unit < text.length; points += 1) {
    unit += unitsAt(text, unit);
  }
  return unit;
}

export function countCodePoints(text: string): number {
  return toCodePointOffset(text, text.length);
}

function unitsAt(text: string, unit: number): 1 | 2 {
  return (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
}
