import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Checkbox, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useForm, type UseFormReturn, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { showFieldProblems } from "../../lib/form-problems";
import { useIdempotencyKey } from "../../lib/idempotency";
import { KindChoice } from "./kind-choice";
import {
  MODEL_FIELDS,
  modelSchema,
  type ModelValues,
  NEW_MODEL,
  submissionBody,
  type SubmittedKind,
  takesFiles,
} from "./model-form-schema";
import {
  ChatFields,
  ContainerFields,
  EndpointFields,
  HuggingFaceFields,
  OnnxFields,
} from "./option-fields";
import { type Model, useSubmitModel } from "./queries";

interface SubmitFormProps {
  slug: string;
  /** The fields that models of this task are sent. */
  inputNames: readonly string[];
  isConversation: boolean;
  /** Why this server takes no code; null where it does. */
  codeRefusal: string | null;
  /** Where files are chosen, for kinds that have some; tells whether one is. */
  renderFiles: (kind: SubmittedKind) => React.ReactNode;
  hasFiles: boolean;
  /** Called with the model that now waits for its files or its check. */
  onSubmitted: (model: Model, takesFiles: boolean) => void;
}

/** Hand a model in: its kind, its name and what the kind needs. */
export function SubmitForm(props: SubmitFormProps) {
  const { slug, isConversation, codeRefusal, renderFiles, hasFiles, onSubmitted } = props;
  const { t } = useTranslation("models");
  const form = useForm<ModelValues>({
    resolver: zodResolver(
      modelSchema(
        { required: t("form.required"), tensors: t("form.tensorsWrong") },
        { isConversation },
      ),
    ),
    defaultValues: { ...NEW_MODEL, kind: codeRefusal === null ? "handler" : "predictions" },
  });
  const submit = useSubmitModel(slug);
  const { keyFor, renew } = useIdempotencyKey();
  const [alert, setAlert] = useState<unknown>(null);
  const [lacksFiles, setLacksFiles] = useState(false);
  const kind = useWatch({ control: form.control, name: "kind" });
  const save = form.handleSubmit(async (values) => {
    const body = submissionBody(values);
    const needsFiles = takesFiles(values);
    setAlert(null);
    setLacksFiles(needsFiles && !hasFiles);
    if (needsFiles && !hasFiles) return;
    try {
      const model = await submit.mutateAsync({ body, key: keyFor(body) });
      renew();
      onSubmitted(model, needsFiles);
    } catch (error) {
      if (!showFieldProblems(error, form.setError, MODEL_FIELDS)) setAlert(error);
    }
  });
  const { errors } = form.formState;
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="md" maw={640}>
        <KindChoice
          value={kind}
          onChange={(chosen) => form.setValue("kind", chosen)}
          codeRefusal={codeRefusal}
        />
        <TextInput
          label={t("form.name")}
          description={t("submit.nameHelp")}
          required
          error={errors.name?.message}
          {...form.register("name")}
        />
        <Textarea
          label={t("form.description")}
          description={t("submit.descriptionHelp")}
          autosize
          minRows={2}
          error={errors.description?.message}
          {...form.register("description")}
        />
        <KindFields form={form} kind={kind} {...props} />
        {renderFiles(kind)}
        {lacksFiles && !hasFiles && (
          <Text role="alert" c="var(--db-bad)" size="sm">
            {t("submit.fileNeeded")}
          </Text>
        )}
        <Checkbox
          label={t("submit.anonymous")}
          description={t("submit.anonymousHelp")}
          {...form.register("is_anonymous")}
        />
        <FormAlert error={alert} />
        <div>
          <Button type="submit" loading={submit.isPending}>
            {t("submit.send")}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

interface KindFieldsProps {
  form: UseFormReturn<ModelValues>;
  kind: SubmittedKind;
  inputNames: readonly string[];
  isConversation: boolean;
}

function KindFields({ form, kind, inputNames, isConversation }: KindFieldsProps) {
  switch (kind) {
    case "huggingface":
      return <HuggingFaceFields form={form} inputNames={inputNames} />;
    case "onnx":
      return <OnnxFields form={form} inputNames={inputNames} />;
    case "container":
      return <ContainerFields form={form} />;
    case "endpoint":
      return <EndpointFields form={form} />;
    case "openai":
      return <ChatFields form={form} inputNames={inputNames} needsPrompt={!isConversation} />;
    default:
      return null;
  }
}
