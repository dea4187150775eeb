import { Button, Checkbox, NativeSelect, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import { saidOf } from "../../lib/i18n/told";
import { useIdempotencyKey } from "../../lib/idempotency";
import { FileChoice } from "./file-choice";
import { JobWatch } from "./job-watch";
import {
  type DatasetVersion,
  type Kind,
  type PerturbationReport,
  perturbationReportQuery,
  transformsQuery,
  usePerturb,
} from "./queries";
import { Problems } from "./report";
import { formatOf } from "./upload-schema";
import { useSentFile } from "./use-sent-file";

const KINDS = ["robustness", "fairness"] as const;

interface PerturbFormProps {
  slug: string;
  version: DatasetVersion;
}

/** Vary a dataset anew: by chosen transforms and a seed, or by a file of one's own. */
export function PerturbForm({ slug, version }: PerturbFormProps) {
  const { t } = useTranslation("datasets");
  const transforms = useQuery(transformsQuery(slug));
  const perturb = usePerturb(version.id);
  const { share, send } = useSentFile(slug);
  const { keyFor, renew } = useIdempotencyKey();
  const [kind, setKind] = useState<Kind>("robustness");
  const [seed, setSeed] = useState("0");
  // Null is what the task's config says.
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const [alert, setAlert] = useState<unknown>(null);
  const [jobId, setJobId] = useState<string | null>(null);
  const isSeedRight = /^\d{1,9}$/u.test(seed);
  const start = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (!isSeedRight) return;
    setAlert(null);
    setJobId(null);
    try {
      const body: Schemas["PerturbationCreate"] = {
        kind,
        seed: Number(seed),
        transforms: file === null && chosen !== null ? [...chosen] : null,
        file: file === null ? null : await send(file),
        row_format: file === null ? "jsonl" : (formatOf(file.name) ?? "jsonl"),
      };
      const job = await perturb.mutateAsync({ body, key: keyFor(body) });
      renew();
      setJobId(job.id);
    } catch (error) {
      setAlert(error);
    }
  };
  return (
    <form onSubmit={(event) => void start(event)} noValidate>
      <Stack gap="sm" maw={640}>
        <Title order={4} size="h5">
          {t("perturb.title")}
        </Title>
        <NativeSelect
          label={t("perturb.kind")}
          data={KINDS.map((one) => ({ value: one, label: t(`kind.${one}`) }))}
          value={kind}
          onChange={(event) => {
            setKind(event.currentTarget.value as Kind);
            setChosen(null);
          }}
        />
        {file === null && (
          <QueryView query={transforms}>
            {(found) => (
              <TransformChoice
                transforms={found.filter((one) => one.kind === kind)}
                chosen={chosen}
                onChoose={setChosen}
              />
            )}
          </QueryView>
        )}
        {file === null && (
          <TextInput
            label={t("perturb.seed")}
            description={t("perturb.seedHelp")}
            inputMode="numeric"
            value={seed}
            onChange={(event) => setSeed(event.currentTarget.value.trim())}
            error={isSeedRight ? null : t("perturb.seedWrong")}
            maw={240}
          />
        )}
        <Text size="sm">{t("perturb.ownHelp")}</Text>
        <FileChoice
          label={t("perturb.file")}
          chosen={file}
          onChoose={setFile}
          share={share}
          error={null}
        />
        <FormAlert error={alert} />
        <div>
          <Button type="submit" loading={share !== null || perturb.isPending}>
            {t("perturb.start")}
          </Button>
        </div>
      </Stack>
      {jobId !== null && (
        <Stack mt="sm">
          <JobWatch jobId={jobId} title={t("perturb.running")}>
            <PerturbationResult jobId={jobId} />
          </JobWatch>
        </Stack>
      )}
    </form>
  );
}

interface TransformChoiceProps {
  transforms: readonly Schemas["TransformRead"][];
  chosen: readonly string[] | null;
  onChoose: (names: readonly string[]) => void;
}

/** Which transforms are used; what knows another language is there with the reason. */
function TransformChoice({ transforms, chosen, onChoose }: TransformChoiceProps) {
  const { t } = useTranslation("datasets");
  const used = transforms.filter((one) => one.is_used).map(({ name }) => name);
  return (
    <Checkbox.Group
      label={t("perturb.transforms")}
      description={t("perturb.transformsHelp")}
      value={[...(chosen ?? used)]}
      onChange={onChoose}
    >
      <Stack gap="xs" mt={8}>
        {transforms.map(({ name, description, reason, reason_told: told }) => (
          <Checkbox
            key={name}
            value={name}
            label={name}
            description={reason === null ? description : `${description} ${saidOf(reason, told)}`}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

function PerturbationResult({ jobId }: { jobId: string }) {
  const report = useQuery(perturbationReportQuery(jobId));
  return <QueryView query={report}>{(found) => <Outcome report={found} />}</QueryView>;
}

function Outcome({ report }: { report: PerturbationReport }) {
  const { t } = useTranslation("datasets");
  if (report.state === "refused") {
    return <Problems found={report.problems} more={report.more_problems} />;
  }
  const key = report.state === "there_already" ? "perturb.there" : "perturb.done";
  return (
    <Text role="status" c="var(--db-good)">
      {t(key, { name: report.name, version: report.version, count: report.items })}
    </Text>
  );
}
