/** A piece of a text, and whether it differs from the other text. */
export interface Piece {
  text: string;
  isChanged: boolean;
}

const MOST_COMPARED = 250_000;

const tokensOf = (text: string) => text.match(/\s+|[^\s]+/gu) ?? [];

/** For each token whether it is part of the longest sequence that both texts share. */
function shared(one: readonly string[], other: readonly string[]): [boolean[], boolean[]] {
  const width = other.length + 1;
  const lengths = new Uint32Array((one.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = one.length - 1; row >= 0; row -= 1) {
    for (let column = other.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        one[row] === other[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const kept: [boolean[], boolean[]] = [one.map(() => false), other.map(() => false)];
  let row = 0;
  let column = 0;
  while (row < one.length && column < other.length) {
    if (one[row] === other[column]) {
      kept[0][row] = true;
      kept[1][column] = true;
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return kept;
}

function pieces(tokens: readonly string[], isKept: readonly boolean[]): Piece[] {
  const found: Piece[] = [];
  tokens.forEach((text, index) => {
    const isChanged = isKept[index] === false;
    const last = found.at(-1);
    if (last?.isChanged === isChanged) last.text += text;
    else found.push({ text, isChanged });
  });
  return found;
}

/** Both texts in pieces, word by word; very long ones are marked as a whole. */
export function wordDiff(original: string, variant: string): [Piece[], Piece[]] {
  const [one, other] = [tokensOf(original), tokensOf(variant)];
  if (one.length * other.length > MOST_COMPARED) {
    return [[{ text: original, isChanged: true }], [{ text: variant, isChanged: true }]];
  }
  const [first, second] = shared(one, other);
  return [pieces(one, first), pieces(other, second)];
}
