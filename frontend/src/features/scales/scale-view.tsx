import { Button, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { Said } from "../../components/ui/said";
import { Section } from "../../components/ui/section";
import { Empty } from "../../components/ui/states";
import { formatDateTime } from "../../lib/format";
import { ContestView } from "./contest-view";
import { ExpectedTable } from "./expected-table";
import { type Scale, useRecompute } from "./queries";
import { ScalePlot } from "./scale-plot";
import { SetTable } from "./set-table";

interface ScaleViewProps {
  scale: Scale;
  isOwner: boolean;
}

/** Models and rounds of a task on one scale, what that means, and how sure it is. */
export function ScaleView({ scale, isOwner }: ScaleViewProps) {
  const { t } = useTranslation("scales");
  return (
    <Stack gap="xl">
      <Age scale={scale} isOwner={isOwner} />
      {scale.as_of !== null && <Scaled scale={scale} />}
      <Section title={t("what.title")}>
        <Stack gap="xs" maw="72ch">
          <Text>{t("what.scale")}</Text>
          <Text>{t("what.reading")}</Text>
          <Text>{t("what.targets")}</Text>
          {scale.notes.map((note, place) => (
            <Text key={note} size="sm" c="dimmed">
              <Said sentence={note} told={scale.notes_told[place]} />
            </Text>
          ))}
        </Stack>
      </Section>
      {scale.sets.length > 0 && <SetTable sets={scale.sets} />}
      {scale.as_of !== null && <ContestView contest={scale.contest} />}
    </Stack>
  );
}

function Scaled({ scale }: { scale: Scale }) {
  const { t } = useTranslation("scales");
  if (scale.reason !== null) {
    return (
      <Empty title={t("none")}>
        <Said sentence={scale.reason} told={scale.reason_told} />
      </Empty>
    );
  }
  return (
    <>
      <ScalePlot scale={scale} />
      <ExpectedTable scale={scale} />
    </>
  );
}

function Age({ scale, isOwner }: ScaleViewProps) {
  const { t, i18n } = useTranslation("scales");
  const recompute = useRecompute(scale.task_slug);
  const { as_of: asOf, is_current: isCurrent } = scale;
  return (
    <div>
      <Text size="sm" c="dimmed" role="status">
        {asOf === null
          ? t("page.first")
          : t("page.asOf", { time: formatDateTime(asOf, i18n.language) })}{" "}
        {asOf !== null && !isCurrent && t("page.behind")}
        {recompute.isSuccess && isCurrent && t("page.recomputing")}
      </Text>
      {isOwner && asOf !== null && (
        <Button
          variant="default"
          size="compact-sm"
          mt="xs"
          loading={recompute.isPending}
          onClick={() => recompute.mutate()}
        >
          {t("page.recompute")}
        </Button>
      )}
    </div>
  );
}
