/**
 * A task config as pages read it. On the wire it is free JSON, because the server alone knows
 * and has checked its schema; here are only the parts that a page draws.
 */
export type LocalText = string | Readonly<Record<string, string>>;

interface FieldBase {
  name: string;
  display_name?: LocalText;
  placeholder?: LocalText;
}

export interface StringField extends FieldBase {
  type: "string";
  min_length?: number;
  max_length?: number;
  multiline?: boolean;
  language?: string;
}

export interface MulticlassField extends FieldBase {
  type: "multiclass";
  labels: string[];
  as_goal_message?: boolean;
}

export interface ContextSelectionField extends FieldBase {
  type: "context_string_selection";
  reference_name: string;
}

/** A field a page can draw; `prob` and the like are the model's alone. */
export type DrawnField = StringField | MulticlassField | ContextSelectionField;
export type MetadataField = DrawnField & {
  model_wrong_condition?: boolean;
  validated_label_condition?: "correct" | "incorrect" | "flagged";
};

/** A selection in a text of the context; offsets are code points. */
export interface TextSelection {
  text: string;
  start: number;
  end: number;
}

export type FieldValue = string | TextSelection;
export type FieldValues = Readonly<Record<string, unknown>>;

export interface DrawnConfig {
  context: DrawnField[];
  /** What the annotator writes: inputs that are not the answer. */
  inputs: DrawnField[];
  /** What is right: fields that stand in `input` and `output`. */
  answers: DrawnField[];
  createMetadata: MetadataField[];
  validateMetadata: MetadataField[];
  goalMessage: LocalText | null;
  contentWarning: LocalText | null;
  instructions: LocalText | null;
  /** Whether the annotator says if the model was fooled. */
  asksUser: boolean;
}

const DRAWN_TYPES = new Set(["string", "multiclass", "context_string_selection"]);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldsIn(value: unknown): MetadataField[] {
  if (!Array.isArray(value)) return [];
  const fields: unknown[] = value;
  return fields
    .filter(isRecord)
    .filter((field) => DRAWN_TYPES.has(String(field.type)))
    .map((field) => withoutNulls(field) as unknown as MetadataField);
}

/** What a config leaves open comes as null on the wire, and is absent here. */
function withoutNulls(field: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(field).filter(([, value]) => value !== null));
}

function textIn(value: unknown): LocalText | null {
  return typeof value === "string" || isRecord(value) ? (value as LocalText) : null;
}

/** Sort a config's fields by who fills them in. */
export function readConfig(config: FieldValues): DrawnConfig {
  const output: unknown[] = Array.isArray(config.output) ? config.output : [];
  const answered = new Set(output.map((field) => (isRecord(field) ? field.name : null)));
  const input = fieldsIn(config.input);
  const metadata = isRecord(config.metadata) ? config.metadata : {};
  const rule = isRecord(config.model_wrong_metric) ? config.model_wrong_metric : {};
  return {
    context: fieldsIn(config.context),
    inputs: input.filter((field) => !answered.has(field.name)),
    answers: input.filter((field) => answered.has(field.name)),
    createMetadata: fieldsIn(metadata.create),
    validateMetadata: fieldsIn(metadata.validate),
    goalMessage: textIn(config.goal_message),
    contentWarning: textIn(config.content_warning),
    instructions: textIn(config.instructions),
    asksUser: config.asks_author === true || rule.type === "ask_user",
  };
}

/** The text in the reader's language, else in English, else in the first language given. */
export function inLanguage(text: LocalText | null | undefined, language: string): string {
  if (text === null || text === undefined) return "";
  if (typeof text === "string") return text;
  const base = language.split("-")[0] ?? language;
  return text[language] ?? text[base] ?? text.en ?? Object.values(text)[0] ?? "";
}

/** The name that people read: `display_name`, else the code's name with its underscores gone. */
export function fieldTitle(field: FieldBase, language: string): string {
  const given = inLanguage(field.display_name, language);
  if (given !== "") return given;
  const words = field.name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function isSelection(value: unknown): value is TextSelection {
  return isRecord(value) && typeof value.start === "number" && typeof value.text === "string";
}
