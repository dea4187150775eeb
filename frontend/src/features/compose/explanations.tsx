import { Text } from "@mantine/core";
import { useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";

import { askedFields, MetadataFields } from "../../components/ui/fields/metadata-fields";
import { FormAlert } from "../../components/ui/form-alert";
import type { Schemas } from "../../lib/api-client";
import { browserStorage } from "../../lib/browser-storage";
import { draftKey, useDraft } from "../../lib/draft-storage";
import { type FieldValue, isGiven } from "../../lib/field-values";
import type { DrawnConfig, FieldValues } from "../../lib/task-config";
import type { Desk } from "./desk";
import { useChangeExample } from "./queries";
import { fieldComplaints, needsAlert } from "./submission";

interface ExplanationsProps {
  example: Schemas["ExampleRead"];
  desk: Desk;
  config: DrawnConfig;
  context: FieldValues;
}

/** Why the label is right and the model wrong; saved when a field is left. */
export function Explanations({ example, desk, config, context }: ExplanationsProps) {
  const { t } = useTranslation("compose");
  const change = useChangeExample(example.id);
  const place = { ...desk, context: `explanations ${example.id}` };
  const [values, write] = useDraft<FieldValues>(place, example.explanations);
  const box = useRef<HTMLDivElement>(null);
  const situation = { isModelWrong: example.fooled };
  const names = askedFields(config.createMetadata, situation).map((field) => field.name);
  const save = (latest: FieldValues) => {
    const asked = Object.fromEntries(
      names.map((name) => [name, latest[name]]).filter(([, value]) => isGiven(value)),
    ) as Schemas["ExampleRead"]["explanations"];
    if (names.every((name) => isSame(asked[name], example.explanations[name]))) return;
    // The words stay in the fields; only the copy in this browser is no longer needed.
    const forget = () => browserStorage.remove(draftKey(place));
    change.mutate({ explanations: asked }, { onSuccess: forget });
  };
  const saveOnLeave = useEffectEvent(() => save(values));
  useEffect(() => {
    const element = box.current;
    const leave = () => saveOnLeave();
    element?.addEventListener("focusout", leave);
    return () => element?.removeEventListener("focusout", leave);
  }, []);
  const set = (name: string, value: FieldValue | null) => {
    const latest = { ...values, [name]: value };
    write(latest);
    const field = config.createMetadata.find((one) => one.name === name);
    // A choice is made at once; what is typed when its field is left.
    if (field?.type !== "string" && field?.type !== "number") save(latest);
  };
  if (names.length === 0) return null;
  return (
    <div ref={box}>
      <MetadataFields
        fields={config.createMetadata}
        situation={situation}
        values={values}
        onChange={set}
        context={{ ...context, ...example.inputs }}
        sources={[...config.context, ...config.inputs]}
        errors={fieldComplaints(change.error)}
      />
      {needsAlert(change.error, names) && <FormAlert error={change.error} />}
      <Text size="sm" c="dimmed" role="status" mt={4}>
        {change.isSuccess ? t("explanations.saved") : ""}
      </Text>
    </div>
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
