import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";

import { type ModelValues, type OptionPath, PIPELINES } from "./model-form-schema";

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

/** Where an Open Inference server answers, and what its tensors are called. */
export function EndpointFields({ form }: { form: Form }) {
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

/** How a chat completions server is asked, and its answer read. */
export function ChatFields({ form, inputNames, needsPrompt }: ChatFieldsProps) {
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

interface TaskFieldsProps {
  form: Form;
  /** The texts that a model of this task can read. */
  inputNames: readonly string[];
}

/** Where a model of the transformers library comes from, and how its answers are read. */
export function HuggingFaceFields({ form, inputNames }: TaskFieldsProps) {
  const { t } = useTranslation("models");
  return (
    <>
      <OptionField
        form={form}
        name="options.hub"
        label={t("form.hub")}
        description={t("form.hubHelp")}
      />
      <OptionField form={form} name="options.revision" label={t("form.revision")} />
      <NativeSelect
        label={t("form.pipeline")}
        data={[
          { value: "", label: t("form.answerUsual") },
          ...PIPELINES.map((value) => ({ value, label: value })),
        ]}
        {...form.register("options.pipeline")}
      />
      <OptionField
        form={form}
        name="options.label_map"
        label={t("form.labelMap")}
        description={t("form.labelMapHelp")}
        rows={3}
      />
      <ReadFields form={form} inputNames={inputNames} />
    </>
  );
}

/** What an ONNX file reads and in which order it answers. */
export function OnnxFields({ form, inputNames }: TaskFieldsProps) {
  const { t } = useTranslation("models");
  return (
    <>
      <OptionField
        form={form}
        name="options.label_list"
        label={t("form.labelList")}
        description={t("form.labelListHelp")}
      />
      <ReadFields form={form} inputNames={inputNames} />
    </>
  );
}

function ReadFields({ form, inputNames }: TaskFieldsProps) {
  const { t } = useTranslation("models");
  return (
    <>
      <OptionField
        form={form}
        name="options.inputs"
        label={t("form.inputs")}
        description={t("form.inputsHelp", { fields: inputNames.join(", ") })}
      />
      <OptionField form={form} name="options.max_length" label={t("form.maxLength")} />
    </>
  );
}

/** Which image a container is made of. */
export function ContainerFields({ form }: { form: Form }) {
  const { t } = useTranslation("models");
  return (
    <OptionField
      form={form}
      name="options.image"
      label={t("form.image")}
      description={t("form.imageHelp")}
      required
    />
  );
}
