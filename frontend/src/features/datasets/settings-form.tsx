import { Button, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { showFieldProblems } from "../../lib/form-problems";
import { DescriptionField, SubtaskField, TagsField } from "./card-fields";
import { type DatasetVersion, useChangeDataset } from "./queries";
import { ACCESS } from "./upload-fields";
import { listOf } from "./upload-schema";

interface Values {
  access: DatasetVersion["access"];
  licence: string;
  tags: string;
  subtask_of: string;
  description: string;
}

const FIELDS = ["access", "licence", "tags", "subtask_of", "description"] as const;

/** Who sees what of a dataset, and what is said of it. */
export function SettingsForm({ version }: { version: DatasetVersion }) {
  const { t } = useTranslation("datasets");
  const { description } = version.card;
  const { register, handleSubmit, formState, setError } = useForm<Values>({
    defaultValues: {
      access: version.access,
      licence: version.licence,
      tags: version.tags.join(", "),
      subtask_of: version.subtask_of ?? "",
      description: typeof description === "string" ? description : "",
    },
  });
  const change = useChangeDataset(version.id);
  const [alert, setAlert] = useState<unknown>(null);
  const { errors } = formState;
  const save = handleSubmit(async (values) => {
    setAlert(null);
    try {
      await change.mutateAsync({ ...values, tags: listOf(values.tags) });
    } catch (error) {
      if (!showFieldProblems(error, setError, FIELDS)) setAlert(error);
    }
  });
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm" maw={640}>
        <NativeSelect
          label={t("form.access")}
          description={t("settings.accessHelp")}
          data={ACCESS.map((access) => ({ value: access, label: t(`access.${access}`) }))}
          error={errors.access?.message}
          {...register("access")}
        />
        <TextInput
          label={t("form.licence")}
          autoComplete="off"
          error={errors.licence?.message}
          {...register("licence")}
        />
        <TagsField error={errors.tags?.message} {...register("tags")} />
        <SubtaskField error={errors.subtask_of?.message} {...register("subtask_of")} />
        <DescriptionField error={errors.description?.message} {...register("description")} />
        <FormAlert error={alert} />
        <Group gap="sm">
          <Button type="submit" loading={change.isPending}>
            {t("settings.save")}
          </Button>
          <Text role="status" size="sm" c="var(--db-good)">
            {change.isSuccess && t("settings.saved")}
          </Text>
        </Group>
      </Stack>
    </form>
  );
}
