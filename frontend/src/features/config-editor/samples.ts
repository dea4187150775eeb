import { countCodePoints } from "../../lib/code-points";
import type { ChatTurn } from "../../lib/field-values";
import type { ChatField, DrawnConfig, DrawnField, FieldValues } from "../../lib/task-config";

/** The words that samples are made of, in the reader's language. */
export interface SampleWords {
  text: (field: DrawnField) => string;
  /** What the sample picture shows. */
  picture: string;
  message: (number: number) => string;
  /** A model's reply; `model` is null where there is only one. */
  reply: (model: string | null) => string;
}

/** Stands where the digest of a stored file would; nothing is stored under it. */
export const SAMPLE_MEDIA = "sample";
const MODELS = ["A", "B", "C", "D"];
const SAMPLE_TURNS = 2;
const MOST_TURNS = 20;
const SAMPLE_RATING = 4;

/** A turn that nothing was said of yet, with as many replies as the config wants. */
export function sampleTurn(field: ChatField, words: SampleWords, text: string): ChatTurn {
  const { candidates: count = 1 } = field;
  const candidates = MODELS.slice(0, count).map((model) => ({
    model,
    text: words.reply(count === 1 ? null : model),
    rating: null,
  }));
  return { text, candidates, choice: null };
}

/** A conversation as somebody could have held it, with a verdict on every turn. */
export function sampleTurns(field: ChatField, words: SampleWords): ChatTurn[] {
  const length = Math.min(SAMPLE_TURNS, field.max_turns ?? MOST_TURNS);
  return Array.from({ length }, (_, index) => {
    const turn = sampleTurn(field, words, words.message(index + 1));
    return {
      ...turn,
      choice: turn.candidates.length > 1 ? "0" : null,
      candidates: turn.candidates.map((reply) =>
        field.rating === true ? { ...reply, rating: SAMPLE_RATING } : reply,
      ),
    };
  });
}

/** A value as somebody could have given it; `texts` are those that words are marked in. */
function sampleOf(field: DrawnField, words: SampleWords, texts: FieldValues): unknown {
  switch (field.type) {
    case "string":
      return words.text(field);
    case "multiclass":
      return field.labels[0] ?? "";
    case "multilabel":
      return field.labels.slice(0, 1);
    case "number":
    case "rating":
      return field.max ?? field.min ?? 1;
    case "context_string_selection":
      return firstWord(texts[field.reference_name]);
    case "spans": {
      const word = firstWord(texts[field.reference_name]);
      return [field.labels?.[0] === undefined ? word : { ...word, label: field.labels[0] }];
    }
    case "image":
      return { media: SAMPLE_MEDIA, alt: words.picture };
    case "audio":
      return { media: SAMPLE_MEDIA };
    case "chat":
      return sampleTurns(field, words);
  }
}

function firstWord(source: unknown): { text: string; start: number; end: number } {
  const word = typeof source === "string" ? (/^[^\s.,]+/u.exec(source)?.[0] ?? "") : "";
  return { text: word, start: 0, end: countCodePoints(word) };
}

/** A context, and an example about it, for a config's fields. */
export function samplesFor(config: DrawnConfig, words: SampleWords) {
  const fill = (fields: readonly DrawnField[], texts: FieldValues): Record<string, unknown> =>
    Object.fromEntries(fields.map((field) => [field.name, sampleOf(field, words, texts)]));
  const context = fill(config.context, {});
  const inputs = fill(config.inputs, context);
  return { context, inputs, answer: fill(config.answers, { ...context, ...inputs }) };
}
