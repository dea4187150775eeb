import { Group, Stack } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { FieldRenderer } from "../../components/ui/fields/field-renderer";
import { KeyButton } from "../../components/ui/key-button";
import { type DraftPlace, useDraft } from "../../lib/draft-storage";
import { fieldProblem } from "../../lib/field-rules";
import { type FieldValue, isGiven } from "../../lib/field-values";
import { type DrawnField, type FieldValues, takesNumberKeys } from "../../lib/task-config";

interface DetailsFormProps {
  fields: readonly DrawnField[];
  context: FieldValues;
  /** The fields of the texts in the context. */
  sources: readonly DrawnField[];
  /** Where what is filled in is kept, so that a reload does not take it. */
  place: DraftPlace;
  save: string;
  onSave: (values: FieldValues) => void;
  /** Back to the choice; absent where there is none. */
  onBack?: () => void;
  /** The names of fields without which nothing can be saved. */
  required?: readonly string[];
}

/** What was filled in, without the fields that were left or emptied. */
function filled(values: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isGiven(value)));
}

const NOTHING: FieldValues = {};

/**
 * A few fields and the button that saves the vote with them. Where a choice opened them the first
 * takes the focus; where they are the whole question, what it is about is read first.
 */
export function DetailsForm(props: DetailsFormProps) {
  const { fields, context, sources, place, save, onSave, onBack, required = [] } = props;
  const { t } = useTranslation("validate");
  const [values, write, clear] = useDraft<FieldValues>(place, NOTHING);
  const form = useRef<HTMLFormElement>(null);
  const wasOpened = onBack !== undefined;
  useEffect(() => {
    if (!wasOpened) return;
    const first = form.current?.querySelector<HTMLElement>("input, textarea, select, button");
    first?.focus({ preventScroll: true });
    form.current?.scrollIntoView({ block: "nearest" });
  }, [wasOpened]);
  const names = new Set(fields.map(({ name }) => name));
  const written = filled(
    Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name))),
  );
  const numbered = fields.find(takesNumberKeys);
  const isMissing = required.some((name) => written[name] === undefined);
  const cannotSave = isMissing || fields.some((field) => fieldProblem(field, values[field.name]));
  const submit = () => {
    if (cannotSave) return;
    clear();
    onSave(written);
  };
  const change = (name: string, value: FieldValue | null) => write({ ...values, [name]: value });
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="sm">
        {fields.map((field) => (
          <FieldRenderer
            key={field.name}
            field={field}
            value={values[field.name]}
            onChange={(value) => change(field.name, value)}
            context={context}
            sources={sources}
            isRequired={required.includes(field.name)}
            withNumberKeys={field === numbered}
          />
        ))}
        <Group gap="xs">
          <KeyButton type="submit" keys="mod+enter" onKey={submit} disabled={cannotSave}>
            {save}
          </KeyButton>
          {onBack !== undefined && (
            <KeyButton keys="b" variant="default" onKey={onBack}>
              {t("back")}
            </KeyButton>
          )}
        </Group>
      </Stack>
    </form>
  );
}
