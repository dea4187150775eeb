import { Button, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { DataTable } from "../../components/ui/data-table";
import { FormAlert } from "../../components/ui/form-alert";
import { Failed, Loading, QueryView } from "../../components/ui/states";
import { formatPercent } from "../../lib/format";
import { jobProblem } from "../../lib/job-list";
import { sizeInWords } from "../../lib/media-files";
import { type Archive, archiveQuery, useMakeArchive } from "./archive-queries";
import type { DatasetVersion } from "./queries";

/** A version as one file: download it, see what is inside, or have it made. */
export function ArchivePanel({ version }: { version: DatasetVersion }) {
  const archive = useQuery(archiveQuery(version.id));
  return (
    <Stack gap="xs" my="sm">
      <QueryView query={archive} loading={<Loading lines={2} />}>
        {(told) => {
          if (told.state === "ready") return <Ready archive={told} />;
          return told.state === "making" ? <Making archive={told} /> : <NotThere archive={told} />;
        }}
      </QueryView>
    </Stack>
  );
}

function Ready({ archive }: { archive: Archive }) {
  const { t, i18n } = useTranslation("datasets");
  const size = (bytes: number) => sizeInWords(bytes, i18n.language);
  return (
    <>
      <div>
        <Button
          component="a"
          href={`/api/v1/dataset-versions/${archive.dataset_version_id}/archive`}
          download={archive.file_name}
        >
          {t("archive.download", { size: size(archive.size_bytes ?? 0) })}
        </Button>
      </div>
      <details>
        <summary>{t("archive.inside", { count: archive.files.length })}</summary>
        <DataTable
          caption={t("archive.caption", { name: archive.file_name })}
          rows={archive.files}
          rowKey={({ name }) => name}
          columns={[
            { key: "name", header: t("archive.file"), cell: ({ name }) => name },
            {
              key: "items",
              header: t("list.items"),
              isNumber: true,
              cell: ({ items }) => items?.toLocaleString(i18n.language) ?? "–",
            },
            {
              key: "size",
              header: t("archive.size"),
              isNumber: true,
              cell: ({ size_bytes: bytes }) => size(bytes),
            },
            {
              key: "digest",
              header: "SHA-256",
              cell: ({ sha256 }) => <code style={{ overflowWrap: "anywhere" }}>{sha256}</code>,
            },
          ]}
        />
        <Text size="sm" mt="xs" style={{ overflowWrap: "anywhere" }}>
          {t("archive.digest", { digest: archive.digest ?? "" })}
        </Text>
        <Text size="sm">{t("archive.resume")}</Text>
      </details>
    </>
  );
}

function Making({ archive }: { archive: Archive }) {
  const { t, i18n } = useTranslation("datasets");
  const share = archive.progress ?? 0;
  const told = t("archive.making", { share: formatPercent(share, i18n.language) });
  return (
    <>
      <Text size="sm" role="status">
        {told}
      </Text>
      <Progress size={6} value={100 * share} aria-label={t("archive.progress")} />
    </>
  );
}

function NotThere({ archive }: { archive: Archive }) {
  const { t } = useTranslation("datasets");
  const make = useMakeArchive(archive.dataset_version_id);
  const { error } = archive;
  return (
    <>
      {error === null ? (
        <Text size="sm">{t("archive.missing")}</Text>
      ) : (
        <Failed title={t("archive.failed")} error={jobProblem(error, archive.told)} />
      )}
      <FormAlert error={make.error} />
      <div>
        <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
          {t(error === null ? "archive.make" : "archive.again")}
        </Button>
      </div>
    </>
  );
}
