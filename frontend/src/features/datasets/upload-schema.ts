import type { Schemas } from "../../lib/api-client";
import { z } from "../../lib/form-schema";

export type RowFormat = Schemas["RowFormat"];

/** An upload as the form holds it: maps are lines of "name = name", lists have commas. */
export interface UploadValues {
  name: string;
  licence: string;
  access: Schemas["DatasetAccess"];
  split: "" | Schemas["Split"];
  row_format: RowFormat;
  columns: string;
  labels: string;
  tags: string;
  subtask_of: string;
  source: string;
  description: string;
}

export const NEW_UPLOAD: UploadValues = {
  name: "",
  licence: "CC-BY-4.0",
  access: "scoring",
  split: "",
  row_format: "jsonl",
  columns: "",
  labels: "",
  tags: "",
  subtask_of: "",
  source: "",
  description: "",
};

export const UPLOAD_FIELDS = [
  "name",
  "licence",
  "access",
  "split",
  "row_format",
  "columns",
  "labels",
  "tags",
  "subtask_of",
  "source",
  "description",
] as const;

/** Lines of "column = field"; null where a line is none. */
export function pairsOf(text: string): Record<string, string> | null {
  const pairs = linesOf(text).map((line) => line.split("="));
  if (pairs.some(([left = "", right = ""]) => left.trim() === "" || right.trim() === "")) {
    return null;
  }
  return Object.fromEntries(
    pairs.map(([left = "", ...right]) => [left.trim(), right.join("=").trim()]),
  );
}

/** Lines of "field: word = label"; null where a line is none. */
export function labelsOf(text: string): Record<string, Record<string, string>> | null {
  const pairs = pairsOf(text);
  if (pairs === null) return null;
  const found: Record<string, Record<string, string>> = {};
  for (const [place, label] of Object.entries(pairs)) {
    const [field = "", word] = place.split(":").map((part) => part.trim());
    if (field === "" || word === undefined || word === "") return null;
    found[field] = { ...found[field], [word]: label };
  }
  return found;
}

export function listOf(text: string): string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

/** The format that a file's name tells, as the server reads it. */
export function formatOf(name: string): RowFormat | null {
  if (/\.(jsonl|ndjson)$/i.test(name)) return "jsonl";
  if (/\.(csv|tsv)$/i.test(name)) return "csv";
  return /\.(parquet|pq)$/i.test(name) ? "parquet" : null;
}

interface Sentences {
  required: string;
  columns: string;
  labels: string;
}

export function uploadSchema(said: Sentences) {
  return z.object({
    name: z.string().trim().min(1, said.required).max(100),
    licence: z.string().trim().min(1, said.required).max(100),
    access: z.enum(["scoring", "standard", "hidden"]),
    split: z.enum(["", "train", "dev", "test"]),
    row_format: z.enum(["jsonl", "csv", "parquet"]),
    columns: z.string().refine((text) => pairsOf(text) !== null, said.columns),
    labels: z.string().refine((text) => labelsOf(text) !== null, said.labels),
    tags: z.string().max(1000),
    subtask_of: z.string().trim().max(100),
    source: z.string().trim().max(500),
    description: z.string().max(20_000),
  });
}

/** The order that a form makes of a file that was sent. */
export function uploadBody(
  values: UploadValues,
  { file, checkOnly }: { file: string; checkOnly: boolean },
): Schemas["DatasetCreate"] {
  const { columns, labels, tags, split, subtask_of: subtask, ...rest } = values;
  const listed = listOf(tags);
  return {
    ...rest,
    file,
    split: split === "" ? null : split,
    columns: pairsOf(columns) ?? {},
    labels: labelsOf(labels) ?? {},
    tags: listed.length > 0 ? listed : null,
    subtask_of: subtask === "" ? null : subtask,
    content_warning: "",
    check_only: checkOnly,
  };
}
