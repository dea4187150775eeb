import type { Schemas } from "../../lib/api-client";
import { z } from "../../lib/form-schema";

/** A model's address as the form holds it; maps of names are lines of "field: name". */
export interface ModelValues {
  name: string;
  description: string;
  kind: "endpoint" | "openai";
  purpose: Schemas["ModelPurpose"];
  options: {
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
}

export const NEW_MODEL: ModelValues = {
  name: "",
  description: "",
  kind: "endpoint",
  purpose: "target",
  options: {
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
  },
  allow_private_address: false,
};

const OPTIONS = {
  endpoint: ["url", "model_name", "version", "input_tensors", "output_tensors"],
  openai: ["base_url", "model", "prompt", "system", "answer", "max_tokens", "api_key_env"],
} as const;
const REQUIRED = { endpoint: ["url"], openai: ["base_url", "model", "prompt"] } as const;

export type OptionName = keyof ModelValues["options"];
export type OptionPath = `options.${OptionName}`;

export const MODEL_FIELDS = [
  "name",
  "description",
  "kind",
  "purpose",
  "allow_private_address",
  ...OPTIONS.endpoint.map((name) => `options.${name}` as const),
  ...OPTIONS.openai.map((name) => `options.${name}` as const),
] as const;

const LINE = /^\s*([^:\s]+)\s*:\s*(\S+)\s*$/;

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
      kind: z.enum(["endpoint", "openai"]),
      purpose: z.enum(["target", "judge"]),
      options: z.object({
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
    })
    .superRefine(({ kind, purpose, options }, context) => {
      const hasOwnPrompt = isConversation || purpose === "judge";
      for (const name of REQUIRED[kind]) {
        if (options[name].trim() !== "" || (name === "prompt" && hasOwnPrompt)) continue;
        context.addIssue({ code: "custom", path: ["options", name], message: sentences.required });
      }
    });
}

/** The request; options that were left empty are left out. */
export function modelBody(values: ModelValues): Schemas["ModelCreate"] {
  const options: Record<string, unknown> = {};
  for (const name of OPTIONS[values.kind]) {
    const written = values.options[name].trim();
    if (written === "") continue;
    if (name === "max_tokens") options[name] = Number(written);
    else if (name === "input_tensors" || name === "output_tensors") {
      options[name] = readNames(written);
    } else options[name] = written;
  }
  const { name, description, kind, purpose, allow_private_address } = values;
  return { name: name.trim(), description, kind, purpose, options, allow_private_address };
}
