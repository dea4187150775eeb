/** A record of a CSV file and the line it begins in. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/**
 * Read CSV as RFC 4180 has it: cells may stand in quotes and then hold commas, line ends and
 * doubled quotes. Empty lines are passed over. A quote that never ends takes the rest.
 */
export function readCsv(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  let line = 1;
  let begin = 1;
  const endRecord = () => {
    cells.push(cell);
    if (cells.some((one) => one !== "")) records.push({ line: begin, cells });
    cells = [];
    cell = "";
  };
  const source = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  for (let at = 0; at < source.length; at += 1) {
    const letter = source.charAt(at);
    if (letter === "\n") line += 1;
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (source.charAt(at + 1) === '"') {
        cell += letter;
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"' && cell === "") isQuoted = true;
    else if (letter === ",") {
      cells.push(cell);
      cell = "";
    } else if (letter === "\n") {
      endRecord();
      begin = line;
    } else cell += letter;
  }
  endRecord();
  return records;
}

/** The same contexts as JSON lines, with the line of the CSV that each came from. */
export interface Converted {
  lines: string[];
  origins: number[];
  /** Fields of the context that are no column of the file. */
  missing: string[];
}

/**
 * A column is a field of the context, `tag`, or else part of the metadata. What a cell of a field
 * means is `read`'s to say: a picture's cell names its file.
 */
export function contextsFromCsv(
  text: string,
  fields: readonly string[],
  read: (field: string, cell: string) => unknown = (_, cell) => cell,
): Converted {
  const [header, ...records] = readCsv(text);
  const columns = (header?.cells ?? []).map((name) => name.trim());
  const missing = fields.filter((name) => !columns.includes(name));
  const lines = records.map(({ cells }) => {
    const context: Record<string, unknown> = {};
    const metadata: Record<string, string> = {};
    let tag: string | undefined;
    columns.forEach((name, index) => {
      const value = cells[index] ?? "";
      if (fields.includes(name)) context[name] = read(name, value);
      else if (name === "tag") tag = value;
      else if (name !== "" && value !== "") metadata[name] = value;
    });
    return JSON.stringify({ context, metadata, ...(tag ? { tag } : {}) });
  });
  return { lines, origins: records.map(({ line }) => line), missing };
}
