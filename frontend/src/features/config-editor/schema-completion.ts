import { placeAt, type YamlPlace } from "./yaml-place";

type Plain = string | number | boolean | null;

/** The parts of a JSON Schema that say what may be written somewhere. */
export interface ConfigSchema {
  $ref?: string;
  $defs?: Readonly<Record<string, ConfigSchema>>;
  type?: string;
  description?: string;
  properties?: Readonly<Record<string, ConfigSchema>>;
  required?: readonly string[];
  items?: ConfigSchema;
  oneOf?: readonly ConfigSchema[];
  anyOf?: readonly ConfigSchema[];
  enum?: readonly Plain[];
  const?: Plain;
}

/** One thing that may be written. */
export interface Suggestion {
  label: string;
  /** What is put in its place. */
  text: string;
  kind: "property" | "constant" | "variable";
  isRequired: boolean;
  description?: string;
}

const FIELD_NAMES = /(?:^|[\s,{])name\s*:\s*["']?([A-Za-z_][\w-]{0,63})/g;
const NAME_DEFINITION = "#/$defs/name";

/** The alternatives that a schema stands for, with references followed. */
function alternatives(schema: ConfigSchema | undefined, root: ConfigSchema): ConfigSchema[] {
  if (schema === undefined) return [];
  if (schema.$ref !== undefined && schema.$ref !== NAME_DEFINITION) {
    const name = schema.$ref.slice("#/$defs/".length);
    return alternatives(root.$defs?.[name], root);
  }
  const several = schema.oneOf ?? schema.anyOf;
  if (several === undefined) return [schema];
  return several.flatMap((one) => alternatives(one, root));
}

function below(schemas: ConfigSchema[], step: string | number, root: ConfigSchema): ConfigSchema[] {
  return schemas.flatMap((schema) => {
    const next = typeof step === "number" ? schema.items : schema.properties?.[step];
    return alternatives(next, root);
  });
}

function valuesOf({ const: constant, enum: several, type }: ConfigSchema): string[] {
  if (constant !== undefined) return [String(constant)];
  if (several !== undefined) return several.map(String);
  return type === "boolean" ? ["true", "false"] : [];
}

/** Keep the alternatives whose fixed values do not contradict what stands beside the cursor. */
function fitting(schemas: ConfigSchema[], place: YamlPlace, ownKey: string | null): ConfigSchema[] {
  const kept = schemas.filter((schema) =>
    Object.entries(place.siblings).every(([key, value]) => {
      const rule = schema.properties?.[key];
      if (key === ownKey || rule === undefined || value === "") return true;
      const possible = rule.const !== undefined || rule.enum !== undefined ? valuesOf(rule) : [];
      return possible.length === 0 || possible.includes(value.replace(/^["']|["']$/g, ""));
    }),
  );
  return kept.length > 0 ? kept : schemas;
}

function keysOf(schemas: ConfigSchema[], place: YamlPlace): Suggestion[] {
  const found = new Map<string, Suggestion>();
  for (const { properties = {}, required = [] } of schemas) {
    for (const [label, { description }] of Object.entries(properties)) {
      if (label in place.siblings || found.has(label)) continue;
      const isRequired = required.includes(label);
      const about = description === undefined ? {} : { description };
      found.set(label, { label, text: `${label}: `, kind: "property", isRequired, ...about });
    }
  }
  return [...found.values()];
}

function valueSuggestions(schemas: ConfigSchema[], text: string, isName: boolean): Suggestion[] {
  const found = new Map<string, Suggestion>();
  const note = (label: string, kind: Suggestion["kind"], description?: string) => {
    const about = description === undefined ? {} : { description };
    if (!found.has(label))
      found.set(label, { label, text: label, kind, isRequired: false, ...about });
  };
  for (const schema of schemas) {
    for (const value of valuesOf(schema)) note(value, "constant", schema.description);
    if (schema.$ref === NAME_DEFINITION && !isName) {
      for (const [, name = ""] of text.matchAll(FIELD_NAMES)) note(name, "variable");
    }
  }
  return [...found.values()];
}

/** Say what the schema lets one write at an offset of a config. */
export function suggest(root: ConfigSchema, text: string, offset: number): Suggestion[] {
  const place = placeAt(text, offset);
  const key = place.isValue ? (place.path.at(-1) ?? null) : null;
  const ownKey = typeof key === "string" ? key : null;
  const steps = key === null ? place.path : place.path.slice(0, -1);
  let here = alternatives(root, root);
  for (const step of steps) here = below(here, step, root);
  here = fitting(here, place, ownKey);
  if (key !== null) return valueSuggestions(below(here, key, root), text, ownKey === "name");
  return [...keysOf(here, place), ...valueSuggestions(here, text, false)];
}
