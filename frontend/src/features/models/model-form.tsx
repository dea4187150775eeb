import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Checkbox, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { showFieldProblems } from "../../lib/form-problems";
import { useIdempotencyKey } from "../../lib/idempotency";
import {
  MODEL_FIELDS,
  modelBody,
  modelSchema,
  type ModelValues,
  NEW_MODEL,
} from "./model-form-schema";
import { ChatFields, EndpointFields } from "./option-fields";
import { useAddModel } from "./queries";

interface ModelFormProps {
  slug: string;
  /** The fields that a prompt can name. */
  inputNames: readonly string[];
  /** Whether a judge has a word in who is fooled. */
  hasRubric: boolean;
  /** Whether the task holds a conversation, which is sent as it is where no prompt is given. */
  isConversation: boolean;
  isAdmin: boolean;
}

/** Add a model by its address; it answers a trial input before it is taken. */
export function ModelForm(props: ModelFormProps) {
  const { slug, inputNames, hasRubric, isConversation, isAdmin } = props;
  const { t } = useTranslation("models");
  const form = useForm<ModelValues>({
    resolver: zodResolver(
      modelSchema(
        { required: t("form.required"), tensors: t("form.tensorsWrong") },
        { isConversation },
      ),
    ),
    defaultValues: NEW_MODEL,
  });
  const add = useAddModel(slug);
  const { keyFor, renew } = useIdempotencyKey();
  const [alert, setAlert] = useState<unknown>(null);
  const [added, setAdded] = useState<string | null>(null);
  const [kind, purpose] = useWatch({ control: form.control, name: ["kind", "purpose"] });
  const save = form.handleSubmit(async (values) => {
    const body = modelBody(values);
    setAlert(null);
    setAdded(null);
    try {
      const model = await add.mutateAsync({ body, key: keyFor(body) });
      renew();
      setAdded(model.name);
      form.reset(NEW_MODEL);
    } catch (error) {
      if (!showFieldProblems(error, form.setError, MODEL_FIELDS)) setAlert(error);
    }
  });
  const errors = form.formState.errors;
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm" maw={640}>
        <Text c="dimmed">{t("form.help")}</Text>
        <TextInput
          label={t("form.name")}
          required
          error={errors.name?.message}
          {...form.register("name")}
        />
        {hasRubric && (
          <NativeSelect
            label={t("form.purpose")}
            data={[
              { value: "target", label: t("form.purposeTarget") },
              { value: "judge", label: t("form.purposeJudge") },
            ]}
            error={errors.purpose?.message}
            {...form.register("purpose")}
          />
        )}
        <NativeSelect
          label={t("form.kind")}
          data={[
            { value: "endpoint", label: t("form.kindEndpoint") },
            { value: "openai", label: t("form.kindOpenai") },
          ]}
          {...form.register("kind")}
        />
        {kind === "endpoint" ? (
          <EndpointFields form={form} />
        ) : (
          <ChatFields
            form={form}
            inputNames={purpose === "judge" ? [...inputNames, "answer", "rubric"] : inputNames}
            needsPrompt={!isConversation && purpose === "target"}
          />
        )}
        <TextInput
          label={t("form.description")}
          error={errors.description?.message}
          {...form.register("description")}
        />
        {isAdmin && (
          <Checkbox
            label={t("form.private")}
            error={errors.allow_private_address?.message}
            {...form.register("allow_private_address")}
          />
        )}
        <FormAlert error={alert} />
        {added !== null && (
          <Text role="status" c="var(--db-good)">
            {t("form.saved", { name: added })}
          </Text>
        )}
        <div>
          <Button type="submit" loading={add.isPending}>
            {t("form.save")}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
