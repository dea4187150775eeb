/** Where in a task config a cursor stands, read from its text alone, broken or not. */
export interface YamlPlace {
  /** The keys and list places that lead to where something may be written. */
  path: readonly (string | number)[];
  /** Whether the value of the path's last key is asked for, and not a key below the path. */
  isValue: boolean;
  /** What of the word is typed already. */
  typed: string;
  /** The keys that stand beside it, with what stands behind them on their line. */
  siblings: Readonly<Record<string, string>>;
}

interface Frame {
  /** The column of a block's lines; null within brackets. */
  indent: number | null;
  isList: boolean;
  /** The key or place that is being written. */
  at: string | number | null;
  entries: Record<string, string>;
}

const KEY = /^("[^"]*"|'[^']*'|[^\s'"{}[\],#][^{}[\],#:]*?)\s*:(?=\s|$)/;
const BLOCK_TEXT = /^[|>][+-]?\d?[+-]?\s*(#.*)?$/;

function unquote(word: string): string {
  return word.trim().replace(/^(["'])(.*)\1$/, "$2");
}

function isDeeper(frame: Frame | undefined, indent: number): boolean {
  return frame !== undefined && (frame.indent === null || frame.indent > indent);
}

/** Reads blocks line by line and brackets sign by sign, up to the cursor. */
class PlaceReader {
  private readonly frames: Frame[] = [];
  private blockTextDeeperThan: number | null = null;
  /** The word before the cursor, and whether a key stands before it. */
  typed = "";
  isValue = false;

  read(text: string): void {
    const lines = text.split("\n");
    lines.forEach((line, index) => this.readLine(line, index === lines.length - 1));
  }

  place(after: string): YamlPlace {
    const path: (string | number)[] = [];
    for (const frame of this.frames) if (frame.at !== null) path.push(frame.at);
    const last = this.frames.at(-1);
    const siblings = last?.isList === false ? { ...last.entries, ...this.below(last, after) } : {};
    return { path, isValue: this.isValue, typed: this.typed, siblings };
  }

  private readLine(line: string, isLast: boolean): void {
    const indent = line.length - line.trimStart().length;
    const isBlank = line.trim() === "" || line.trimStart().startsWith("#");
    if (this.blockTextDeeperThan !== null) {
      if (isBlank ? !isLast : indent > this.blockTextDeeperThan) return;
      this.blockTextDeeperThan = null;
    }
    if (isBlank && !isLast) return;
    if (this.frames.at(-1)?.indent === null) this.readFlow(line);
    else this.readBlock(line.slice(indent), indent);
  }

  private readBlock(content: string, indent: number): void {
    while (isDeeper(this.frames.at(-1), indent)) this.frames.pop();
    const item = /^-(\s+|$)/.exec(content);
    if (item !== null) {
      const last = this.frames.at(-1);
      if (last?.isList === true && last.indent === indent) last.at = Number(last.at) + 1;
      else this.frames.push({ indent, isList: true, at: 0, entries: {} });
      this.readBlock(content.slice(item[0].length), indent + item[0].length);
      return;
    }
    const top = this.frames.at(-1);
    if (top?.isList === true && top.indent === indent) this.frames.pop();
    if (/^[{[]/.test(content)) {
      this.readFlow(content);
      return;
    }
    this.readEntry(content, indent);
  }

  private readEntry(content: string, indent: number): void {
    let map = this.frames.at(-1);
    if (map === undefined || map.isList || map.indent !== indent) {
      map = { indent, isList: false, at: null, entries: {} };
      this.frames.push(map);
    }
    const key = KEY.exec(content);
    if (key === null) {
      map.at = null;
      this.isValue = false;
      this.typed = content;
      return;
    }
    const value = content.slice(key[0].length).trimStart();
    map.at = unquote(key[1] ?? "");
    map.entries[map.at] = value.trim();
    this.isValue = true;
    this.typed = value;
    if (BLOCK_TEXT.test(value)) this.blockTextDeeperThan = indent;
    if (/^[{[]/.test(value)) this.readFlow(value);
  }

  private readFlow(content: string): void {
    let word = "";
    for (const part of content.match(/"(?:[^"\\]|\\.)*"?|'[^']*'?|[{}[\],]|[^"'{}[\],]+/g) ?? []) {
      if (!/^[{}[\],]$/.test(part)) {
        word += part;
        continue;
      }
      this.noteFlowWord(word);
      word = "";
      if (part === "{" || part === "[") this.open(part === "[");
      else if (part === ",") this.nextInFlow();
      else this.frames.pop();
    }
    this.noteFlowWord(word);
  }

  private open(isList: boolean): void {
    this.frames.push({ indent: null, isList, at: isList ? 0 : null, entries: {} });
    this.isValue = false;
    this.typed = "";
  }

  private nextInFlow(): void {
    const last = this.frames.at(-1);
    if (last === undefined) return;
    last.at = last.isList ? Number(last.at) + 1 : null;
    this.isValue = false;
    this.typed = "";
  }

  private noteFlowWord(word: string): void {
    const last = this.frames.at(-1);
    if (last?.indent !== null || word.trim() === "") return;
    const written = word.trimStart();
    const key = last.isList ? null : KEY.exec(written);
    if (key === null) {
      this.typed = written;
      return;
    }
    last.at = unquote(key[1] ?? "");
    this.isValue = true;
    this.typed = written.slice(key[0].length).trimStart();
    last.entries[last.at] = this.typed.trim();
  }

  /** The keys of the same mapping that stand behind the cursor. */
  private below(frame: Frame, after: string): Record<string, string> {
    const found: Record<string, string> = {};
    const note = (written: string) => {
      const key = KEY.exec(written.trimStart());
      if (key === null) return;
      found[unquote(key[1] ?? "")] = written.trimStart().slice(key[0].length).trim();
    };
    if (frame.indent === null) {
      const inner = /^[^{}[\]]*/.exec(after)?.[0] ?? "";
      inner.split(",").slice(1).forEach(note);
      return found;
    }
    for (const line of after.split("\n").slice(1)) {
      const indent = line.length - line.trimStart().length;
      if (line.trim() === "" || indent > frame.indent) continue;
      if (indent < frame.indent || line.trimStart().startsWith("-")) break;
      note(line);
    }
    return found;
  }
}

/** Find out what may be written at an offset of a config. */
export function placeAt(text: string, offset: number): YamlPlace {
  const reader = new PlaceReader();
  reader.read(text.slice(0, offset));
  return reader.place(text.slice(offset));
}
