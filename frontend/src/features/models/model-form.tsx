import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Checkbox, NativeSelect, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useForm, type UseFormReturn, useWatch } from "react-hook-form";
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
  type OptionPath,
} from "./model-form-schema";
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

type Form = UseFormReturn<ModelValues>;

interface OptionFieldProps {
  form: Form;
  name: OptionPath;
  label: string;
  description?: string;
  rows?: number;
  required?: boolean;
}

function OptionField({ form, name, rows, ...rest }: OptionFieldProps) {
  const error = form.getFieldState(name, form.formState).error?.message;
  const field = form.register(name);
  if (rows !== undefined) return <Textarea {...rest} {...field} error={error} rows={rows} />;
  return <TextInput {...rest} {...field} error={error} />;
}

function EndpointFields({ form }: { form: Form }) {
  const { t } = useTranslation("models");
  const help = t("form.tensorsHelp");
  return (
    <>
      <OptionField
        form={form}
        name="options.url"
        label={t("form.url")}
        description={t("form.urlHelp")}
        required
      />
      <OptionField
        form={form}
        name="options.model_name"
        label={t("form.modelName")}
        description={t("form.modelNameHelp")}
      />
      <OptionField form={form} name="options.version" label={t("form.version")} />
      <OptionField
        form={form}
        name="options.input_tensors"
        label={t("form.inputTensors")}
        description={help}
        rows={2}
      />
      <OptionField
        form={form}
        name="options.output_tensors"
        label={t("form.outputTensors")}
        description={help}
        rows={2}
      />
    </>
  );
}

interface ChatFieldsProps {
  form: Form;
  inputNames: readonly string[];
  needsPrompt: boolean;
}

function ChatFields({ form, inputNames, needsPrompt }: ChatFieldsProps) {
  const { t } = useTranslation("models");
  const fields = inputNames.map((name) => `{${name}}`).join(", ");
  return (
    <>
      <OptionField
        form={form}
        name="options.base_url"
        label={t("form.baseUrl")}
        description={t("form.baseUrlHelp")}
        required
      />
      <OptionField form={form} name="options.model" label={t("form.model")} required />
      <OptionField
        form={form}
        name="options.prompt"
        label={t("form.prompt")}
        description={t(needsPrompt ? "form.promptHelp" : "form.promptOptional", { fields })}
        rows={5}
        required={needsPrompt}
      />
      <OptionField form={form} name="options.system" label={t("form.system")} rows={2} />
      <NativeSelect
        label={t("form.answer")}
        data={[
          { value: "", label: t("form.answerUsual") },
          { value: "label", label: t("form.answerLabel") },
          { value: "json", label: t("form.answerJson") },
          { value: "text", label: t("form.answerText") },
          { value: "span", label: t("form.answerSpan") },
        ]}
        error={form.formState.errors.options?.answer?.message}
        {...form.register("options.answer")}
      />
      <OptionField form={form} name="options.max_tokens" label={t("form.maxTokens")} />
      <OptionField
        form={form}
        name="options.api_key_env"
        label={t("form.apiKeyEnv")}
        description={t("form.apiKeyEnvHelp")}
      />
    </>
  );
}
