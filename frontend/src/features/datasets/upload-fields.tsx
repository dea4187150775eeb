import { NativeSelect, Radio, Stack, Textarea, TextInput } from "@mantine/core";
import { type Control, Controller, type UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";

import { DescriptionField, SubtaskField, TagsField } from "./card-fields";
import type { UploadValues } from "./upload-schema";

export const ACCESS = ["scoring", "standard", "hidden"] as const;
export const SPLITS = ["test", "dev", "train"] as const;

/** Who sees what of a dataset. */
export function AccessChoice({ control }: { control: Control<UploadValues> }) {
  const { t } = useTranslation("datasets");
  return (
    <Controller
      control={control}
      name="access"
      render={({ field }) => (
        <Radio.Group label={t("form.access")} value={field.value} onChange={field.onChange}>
          <Stack gap="xs" mt={4}>
            {ACCESS.map((access) => (
              <Radio
                key={access}
                value={access}
                label={t(`access.${access}`)}
                description={t(`accessHelp.${access}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
    />
  );
}

/** What a file calls otherwise, and what the card says. */
export function MoreFields({ form }: { form: UseFormReturn<UploadValues> }) {
  const { t } = useTranslation("datasets");
  const { register, formState } = form;
  const { errors } = formState;
  return (
    <>
      <NativeSelect
        label={t("form.split")}
        description={t("form.splitHelp")}
        data={[
          { value: "", label: t("form.splitOfRow") },
          ...SPLITS.map((split) => ({ value: split, label: split })),
        ]}
        error={errors.split?.message}
        {...register("split")}
      />
      <NativeSelect
        label={t("form.format")}
        data={[
          { value: "jsonl", label: "JSON lines" },
          { value: "csv", label: "CSV" },
          { value: "parquet", label: "Parquet" },
        ]}
        error={errors.row_format?.message}
        {...register("row_format")}
      />
      <Textarea
        label={t("form.columns")}
        description={t("form.columnsHelp")}
        autosize
        minRows={2}
        error={errors.columns?.message}
        {...register("columns")}
      />
      <Textarea
        label={t("form.labels")}
        description={t("form.labelsHelp")}
        autosize
        minRows={2}
        error={errors.labels?.message}
        {...register("labels")}
      />
      <TagsField error={errors.tags?.message} {...register("tags")} />
      <SubtaskField error={errors.subtask_of?.message} {...register("subtask_of")} />
      <TextInput
        label={t("form.source")}
        autoComplete="off"
        error={errors.source?.message}
        {...register("source")}
      />
      <DescriptionField error={errors.description?.message} {...register("description")} />
    </>
  );
}
