/**
 * A task config as pages read it. On the wire it is free JSON, because the server alone knows
 * and has checked its schema; here are only the parts that a page draws.
 */
import { inLanguage, type LocalText, textIn } from "./local-text";

interface FieldBase {
  name: string;
  display_name?: LocalText;
  placeholder?: LocalText;
  /** False where people alone see it. */
  is_shown_to_model?: boolean;
}

export interface StringField extends FieldBase {
  type: "string";
  min_length?: number;
  max_length?: number;
  multiline?: boolean;
  language?: string;
  direction?: "ltr" | "rtl";
}

export interface MulticlassField extends FieldBase {
  type: "multiclass";
  labels: string[];
  as_goal_message?: boolean;
}

export interface MultilabelField extends FieldBase {
  type: "multilabel";
  labels: string[];
}

export interface ContextSelectionField extends FieldBase {
  type: "context_string_selection";
  reference_name: string;
}

export interface SpansField extends FieldBase {
  type: "spans";
  /** A string of the context, or one that is being written. */
  reference_name: string;
  labels?: string[];
  /** Whether more than one span may be marked; true where the config leaves it open. */
  multiple?: boolean;
}

export interface NumberField extends FieldBase {
  type: "number";
  min?: number;
  max?: number;
  step?: number;
}

export interface RatingField extends FieldBase {
  type: "rating";
  min?: number;
  max?: number;
  step?: number;
  not_applicable?: boolean;
}

interface MediaField extends FieldBase {
  max_bytes?: number;
  media_types?: string[];
}

export interface ImageField extends MediaField {
  type: "image";
}

export interface AudioField extends MediaField {
  type: "audio";
}

export interface ChatField extends FieldBase {
  type: "chat";
  min_turns?: number;
  max_turns?: number;
  candidates?: number;
  rating?: boolean;
  reply_name?: string;
}

/** A field a page can draw; `prob` is the model's alone. */
export type DrawnField =
  | StringField
  | MulticlassField
  | MultilabelField
  | ContextSelectionField
  | SpansField
  | NumberField
  | RatingField
  | ImageField
  | AudioField
  | ChatField;
export type MetadataField = DrawnField & {
  model_wrong_condition?: boolean;
  validated_label_condition?: "correct" | "incorrect" | "flagged";
};

export type FieldValues = Readonly<Record<string, unknown>>;

/** Where a model says how sure it is: by label of another field, or as one number. */
export interface ProbabilityField {
  name: string;
  referenceName: string | null;
}

export interface DrawnConfig {
  context: DrawnField[];
  /** What the annotator writes: inputs that are not the answer. */
  inputs: DrawnField[];
  /** What is right: fields that stand in `input` and `output`. */
  answers: DrawnField[];
  /** What a model answers, without its probabilities. */
  outputs: DrawnField[];
  probability: ProbabilityField | null;
  createMetadata: MetadataField[];
  validateMetadata: MetadataField[];
  goalMessage: LocalText | null;
  contentWarning: LocalText | null;
  instructions: LocalText | null;
  /** Whether the annotator says if the model was fooled. */
  asksUser: boolean;
  /** Whether a judge has a word in that. */
  hasRubric: boolean;
  /** What an answer must not break, where there is a rubric. */
  criteria: { name: string; text: string }[];
}

const DRAWN_TYPES: ReadonlySet<string> = new Set<DrawnField["type"]>([
  "string",
  "multiclass",
  "multilabel",
  "context_string_selection",
  "spans",
  "number",
  "rating",
  "image",
  "audio",
  "chat",
]);
const TEXTS = ["display_name", "placeholder"] as const;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function recordsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isRecord) : [];
}

function fieldsIn(fields: unknown, taskLanguage: string): MetadataField[] {
  return recordsIn(fields)
    .filter((field) => DRAWN_TYPES.has(String(field.type)))
    .map((field) => {
      const texts = TEXTS.map((key) => [key, textIn(field[key], taskLanguage)] as const);
      // What a config leaves open comes as null on the wire, and is absent here.
      const given = [...Object.entries(field), ...texts].filter(([, value]) => value !== null);
      return Object.fromEntries(given) as unknown as MetadataField;
    });
}

function probabilityIn(output: readonly Record<string, unknown>[]): ProbabilityField | null {
  const found = output.find((field) => field.type === "prob");
  if (found === undefined) return null;
  const { name, reference_name: reference } = found;
  return { name: String(name), referenceName: typeof reference === "string" ? reference : null };
}

/** The output's fields; one that is a bare name there is defined in another part. */
function outputIn(config: FieldValues): Record<string, unknown>[] {
  const defined = [...recordsIn(config.input), ...recordsIn(config.context)];
  return recordsIn(config.output).map(
    (field) => ("type" in field ? null : defined.find(({ name }) => name === field.name)) ?? field,
  );
}

/** Sort a config's fields by who fills them in. */
export function readConfig(config: FieldValues): DrawnConfig {
  const language = typeof config.language === "string" ? config.language : "en";
  const output = outputIn(config);
  const answered = new Set(output.map(({ name }) => name));
  const input = fieldsIn(config.input, language);
  const metadata = isRecord(config.metadata) ? config.metadata : {};
  const rule = isRecord(config.model_wrong_metric) ? config.model_wrong_metric : {};
  return {
    context: fieldsIn(config.context, language),
    inputs: input.filter((field) => !answered.has(field.name)),
    answers: input.filter((field) => answered.has(field.name)),
    outputs: fieldsIn(output, language),
    probability: probabilityIn(output),
    createMetadata: fieldsIn(metadata.create, language),
    validateMetadata: fieldsIn(metadata.validate, language),
    goalMessage: textIn(config.goal_message, language),
    contentWarning: textIn(config.content_warning, language),
    instructions: textIn(config.instructions, language),
    hasRubric: rule.type === "rubric",
    criteria: recordsIn(rule.criteria).map(({ name, text }) => ({
      name: String(name),
      text: String(text),
    })),
    asksUser: config.asks_author === true || ["ask_user", "rubric"].includes(String(rule.type)),
  };
}

/** The name that people read: `display_name`, else the code's name with its underscores gone. */
export function fieldTitle(field: FieldBase, language: string): string {
  const given = inLanguage(field.display_name, language);
  if (given !== "") return given;
  const words = field.name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The field in whose text this one is selected or marked; null where it has none. */
export function referenceOf(field: DrawnField): string | null {
  const isWithin = field.type === "context_string_selection" || field.type === "spans";
  return isWithin ? field.reference_name : null;
}

/** Whether a field's choices can be made by number; one field of a page is. */
export function takesNumberKeys(field: DrawnField): boolean {
  const { type } = field;
  if (type === "chat") return (field.candidates ?? 1) > 1;
  return type === "multiclass" || type === "multilabel" || type === "rating";
}

/** The `lang` and `dir` of a field's text; what the language does not settle, the text does. */
export function textAttributes(field: DrawnField | undefined): { lang?: string; dir: string } {
  if (field?.type !== "string" || field.language === undefined) return { dir: "auto" };
  return { lang: field.language, dir: field.direction === "rtl" ? "rtl" : "auto" };
}
