import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";

import { CodeBlock } from "../../components/ui/code-block";
import { FormAlert } from "../../components/ui/form-alert";
import { showFieldProblems } from "../../lib/form-problems";
import { useIdempotencyKey } from "../../lib/idempotency";
import { FileChoice } from "./file-choice";
import { JobWatch } from "./job-watch";
import { useCreateDataset } from "./queries";
import { ImportResult } from "./report";
import { AccessChoice, MoreFields } from "./upload-fields";
import {
  formatOf,
  NEW_UPLOAD,
  UPLOAD_FIELDS,
  uploadBody,
  uploadSchema,
  type UploadValues,
} from "./upload-schema";
import { useSentFile } from "./use-sent-file";

interface UploadFormProps {
  slug: string;
  /** What a row must name, in the order of the task. */
  names: readonly string[];
}

/** A file of items becomes a dataset, or every wrong row of it is named. */
export function UploadForm({ slug, names }: UploadFormProps) {
  const { t } = useTranslation("datasets");
  const said = {
    required: t("form.required"),
    columns: t("form.columnsWrong"),
    labels: t("form.labelsWrong"),
  };
  const form = useForm<UploadValues>({
    resolver: zodResolver(uploadSchema(said)),
    defaultValues: NEW_UPLOAD,
  });
  const create = useCreateDataset(slug);
  const { share, send } = useSentFile(slug);
  const { keyFor, renew } = useIdempotencyKey();
  const [file, setFile] = useState<File | null>(null);
  const [isFileMissing, setFileMissing] = useState(false);
  const [alert, setAlert] = useState<unknown>(null);
  const [job, setJob] = useState<{ id: string; title: string } | null>(null);
  const isBusy = share !== null || create.isPending;
  const choose = (chosen: File) => {
    setFile(chosen);
    setFileMissing(false);
    setJob(null);
    const told = formatOf(chosen.name);
    if (told !== null) form.setValue("row_format", told);
    if (form.getValues("name") === "") form.setValue("name", chosen.name.replace(/\.\w+$/u, ""));
  };
  const go = (checkOnly: boolean) =>
    form.handleSubmit(async (values) => {
      setFileMissing(file === null);
      setAlert(null);
      setJob(null);
      if (file === null) return;
      try {
        const body = uploadBody(values, { file: await send(file), checkOnly });
        const asked = await create.mutateAsync({ body, key: keyFor(body) });
        renew();
        setJob({ id: asked.id, title: t(checkOnly ? "form.checking" : "form.storing") });
      } catch (error) {
        if (!showFieldProblems(error, form.setError, UPLOAD_FIELDS)) setAlert(error);
      }
    });
  const { errors } = form.formState;
  return (
    <form onSubmit={go(false)} noValidate>
      <Stack gap="sm" maw={640}>
        <Text>{t("form.help", { names: names.join(", ") })}</Text>
        <CodeBlock code={sampleRow(names)} label={t("form.sample")} />
        <FileChoice
          label={t("file.choose")}
          chosen={file}
          onChoose={choose}
          share={share}
          error={isFileMissing ? t("form.fileMissing") : null}
        />
        <TextInput
          label={t("form.name")}
          description={t("form.nameHelp")}
          required
          autoComplete="off"
          error={errors.name?.message}
          {...form.register("name")}
        />
        <TextInput
          label={t("form.licence")}
          required
          autoComplete="off"
          error={errors.licence?.message}
          {...form.register("licence")}
        />
        <AccessChoice control={form.control} />
        <MoreFields form={form} />
        <FormAlert error={alert} />
        <Group gap="xs">
          <Button type="submit" loading={isBusy}>
            {t("form.store")}
          </Button>
          <Button variant="default" disabled={isBusy} onClick={go(true)}>
            {t("form.check")}
          </Button>
        </Group>
      </Stack>
      {job !== null && (
        <Stack mt="sm">
          <JobWatch jobId={job.id} title={job.title}>
            <ImportResult jobId={job.id} />
          </JobWatch>
        </Stack>
      )}
    </form>
  );
}

function sampleRow(names: readonly string[]): string {
  return JSON.stringify({ ...Object.fromEntries(names.map((name) => [name, "…"])), split: "test" });
}
