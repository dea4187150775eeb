import type { Schemas } from "../lib/api-client";
import { makeDataset } from "./factories/console";

/* What the page of datasets shows in its tests. */

export const weather = makeDataset({
  id: "set-1",
  name: "Weather",
  origin: "upload",
  items: 1200,
  tags: ["rain"],
  splits: [{ split: "test", items: 1200 }],
  card: { description: "About *rain*.", source: "A diary." },
});
export const variants = makeDataset({
  id: "set-2",
  dataset_id: "other",
  name: "Weather (robustness)",
  origin: "perturbation",
  perturbs_id: "set-1",
  perturbation: {
    kind: "robustness",
    made_by: "platform",
    seed: 4,
    transforms: { contractions: { items: 4, changed: 1 }, upper_case: { items: 4, changed: 0 } },
    left_out: { misspellings: "It knows English." },
  },
});
export const item: Schemas["DatasetItemRead"] = {
  uid: "a",
  split: "test",
  position: 0,
  context: { premise: "It rains." },
  inputs: { hypothesis: "It is wet." },
  gold: { label: ["entailment", "neutral"] },
  tags: [],
  original_uid: null,
  transform: null,
};
export const report: Schemas["DatasetImportRead"] = {
  state: "stored",
  dataset_version_id: "set-3",
  name: "Mine",
  version: 2,
  digest: "d",
  items: 3,
  splits: [{ split: "test", items: 3 }],
  problems: [],
  more_problems: 0,
  repeated: 1,
  repeated_lines: [4],
  overlapping: 0,
  overlapping_lines: [],
  passed_over: ["genre"],
};
export const transforms: Schemas["TransformRead"][] = [
  { name: "upper_case", kind: "robustness", description: "Capitals.", is_used: true, reason: null },
  { name: "emphasis", kind: "robustness", description: "Loud.", is_used: false, reason: "Not so." },
];
export const archive: Schemas["ArchiveRead"] = {
  dataset_version_id: "set-1",
  state: "ready",
  file_name: "nli-weather-v1.zip",
  digest: "d".repeat(64),
  size_bytes: 12 * 1024 * 1024,
  files: [
    { name: "data/test.parquet", sha256: "a".repeat(64), size_bytes: 900 * 1024, items: 1200 },
    { name: "README.md", sha256: "b".repeat(64), size_bytes: 4_000, items: null },
  ],
  job_id: null,
  progress: null,
  message: "",
  error: null,
};
