import type { Schemas } from "../../lib/api-client";
import { z } from "../../lib/form-schema";

/** What can be handed in; replayed rounds alone know `recorded` models. */
export type SubmittedKind = Exclude<Schemas["ModelKind"], "recorded">;
export const KINDS: readonly SubmittedKind[] = [
  "handler",
  "huggingface",
  "onnx",
  "container",
  "endpoint",
  "openai",
  "predictions",
];

/** A model as the form holds it; maps are lines of "name: name", lists have commas. */
export interface ModelValues {
  name: string;
  description: string;
  kind: SubmittedKind;
  purpose: Schemas["ModelPurpose"];
  options: {
    hub: string;
    revision: string;
    /** Empty: what fits the task's answer. */
    pipeline: "" | Pipeline;
    inputs: string;
    /** The model's own labels in their order. */
    label_list: string;
    /** The model's own labels with the task's. */
    label_map: string;
    max_length: string;
    image: string;
    url: string;
    model_name: string;
    version: string;
    input_tensors: string;
    output_tensors: string;
    base_url: string;
    model: string;
    prompt: string;
    system: string;
    /** Empty: what fits the task's answer. */
    answer: "" | "label" | "json" | "text" | "span";
    max_tokens: string;
    api_key_env: string;
  };
  allow_private_address: boolean;
  is_anonymous: boolean;
}

export const PIPELINES = [
  "text-classification",
  "token-classification",
  "question-answering",
  "text2text-generation",
  "text-generation",
] as const;
type Pipeline = (typeof PIPELINES)[number];

const NO_OPTIONS: ModelValues["options"] = {
  hub: "",
  revision: "",
  pipeline: "",
  inputs: "",
  label_list: "",
  label_map: "",
  max_length: "",
  image: "",
  url: "",
  model_name: "",
  version: "",
  input_tensors: "",
  output_tensors: "",
  base_url: "",
  model: "",
  prompt: "",
  system: "",
  answer: "",
  max_tokens: "",
  api_key_env: "",
};

export const NEW_MODEL: ModelValues = {
  name: "",
  description: "",
  kind: "endpoint",
  purpose: "target",
  options: NO_OPTIONS,
  allow_private_address: false,
  is_anonymous: false,
};

type Reading = "text" | "number" | "list" | "map";

/** The options of each kind and how each is written; `label_…` go over the wire as `labels`. */
const OPTIONS: Record<SubmittedKind, Partial<Record<OptionName, Reading>>> = {
  handler: {},
  huggingface: {
    hub: "text",
    revision: "text",
    pipeline: "text",
    inputs: "list",
    label_map: "map",
    max_length: "number",
  },
  onnx: { inputs: "list", label_list: "list", max_length: "number" },
  container: { image: "text" },
  endpoint: {
    url: "text",
    model_name: "text",
    version: "text",
    input_tensors: "map",
    output_tensors: "map",
  },
  openai: {
    base_url: "text",
    model: "text",
    prompt: "text",
    system: "text",
    answer: "text",
    max_tokens: "number",
    api_key_env: "text",
  },
  predictions: {},
};
const REQUIRED: Partial<Record<SubmittedKind, readonly OptionName[]>> = {
  container: ["image"],
  endpoint: ["url"],
  openai: ["base_url", "model", "prompt"],
};

export type OptionName = keyof ModelValues["options"];
export type OptionPath = `options.${OptionName}`;

const OPTION_PATHS = (Object.keys(NO_OPTIONS) as OptionName[]).map(
  (name) => `options.${name}` as const,
);

/** Every field that the server may complain of by its name. */
export const MODEL_FIELDS = [
  "name",
  "description",
  "kind",
  "purpose",
  "allow_private_address",
  "is_anonymous",
  ...OPTION_PATHS,
] as const;

/** What the server calls an option. */
function wireName(name: OptionName): string {
  return name === "label_list" || name === "label_map" ? "labels" : name;
}

const LINE = /^\s*([^:\s]+)\s*:\s*(\S.*?)\s*$/;

/** "premise: TEXT_A" a line as a map; null where a line is something else. */
export function readNames(written: string): Record<string, string> | null {
  const lines = written.split("\n").filter((line) => line.trim() !== "");
  const pairs = lines.map((line) => LINE.exec(line));
  if (pairs.some((pair) => pair === null)) return null;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? "", pair?.[2] ?? ""]));
}

/** The form's rules, with the sentences it says; a conversation and a judge need no prompt. */
export function modelSchema(
  sentences: { required: string; tensors: string },
  { isConversation }: { isConversation: boolean },
) {
  const text = z.string();
  const names = text.refine((written) => readNames(written) !== null, sentences.tensors);
  return z
    .object({
      name: text.trim().min(1, sentences.required).max(80),
      description: text.max(2000),
      kind: z.enum(KINDS),
      purpose: z.enum(["target", "judge"]),
      options: z.object({
        hub: text,
        revision: text,
        pipeline: z.enum(["", ...PIPELINES]),
        inputs: text,
        label_list: text,
        label_map: names,
        max_length: text,
        image: text,
        url: text,
        model_name: text,
        version: text,
        input_tensors: names,
        output_tensors: names,
        base_url: text,
        model: text,
        prompt: text,
        system: text,
        answer: z.enum(["", "label", "json", "text", "span"]),
        max_tokens: text,
        api_key_env: text,
      }),
      allow_private_address: z.boolean(),
      is_anonymous: z.boolean(),
    })
    .superRefine(({ kind, purpose, options }, context) => {
      const hasOwnPrompt = isConversation || purpose === "judge";
      for (const name of REQUIRED[kind] ?? []) {
        if (options[name].trim() !== "" || (name === "prompt" && hasOwnPrompt)) continue;
        context.addIssue({ code: "custom", path: ["options", name], message: sentences.required });
      }
    });
}

function read(written: string, reading: Reading): unknown {
  if (reading === "number") return Number(written);
  if (reading === "map") return readNames(written);
  if (reading === "text") return written;
  const parts = written.split(",").map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

function optionsOf({ kind, options }: ModelValues): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, reading] of Object.entries(OPTIONS[kind]) as [OptionName, Reading][]) {
    const written = options[name].trim();
    if (written !== "") found[wireName(name)] = read(written, reading);
  }
  return found;
}

/** An owner's request; options that were left empty are left out. */
export function modelBody(values: ModelValues): Schemas["ModelCreate"] {
  const { name, description, kind, purpose, allow_private_address } = values;
  const options = optionsOf(values);
  return { name: name.trim(), description, kind, purpose, options, allow_private_address };
}

/** A submitter's request; options that were left empty are left out. */
export function submissionBody(values: ModelValues): Schemas["SubmissionCreate"] {
  const { name, description, kind, is_anonymous } = values;
  return { name: name.trim(), description, kind, is_anonymous, options: optionsOf(values) };
}

/** Whether files follow the request: a model of a hub is fetched from there. */
export function takesFiles({ kind, options }: Pick<ModelValues, "kind" | "options">): boolean {
  if (kind === "huggingface") return options.hub.trim() === "";
  return kind === "handler" || kind === "onnx";
}
