import { useTranslation } from "react-i18next";

import { type Column, DataTable } from "../../components/ui/data-table";
import { AnchorLink } from "../../components/ui/links";
import { Empty } from "../../components/ui/states";
import { formatDate } from "../../lib/format";
import type { Submission } from "./queries";

interface MySubmissionsProps {
  /** Every model that the reader sees; their own are listed. */
  models: readonly Submission[];
}

/** What the reader has handed in to a task, newest first. */
export function MySubmissions({ models }: MySubmissionsProps) {
  const { t, i18n } = useTranslation("submissions");
  const mine = models.filter(({ is_mine }) => is_mine);
  if (mine.length === 0) return <Empty title={t("mine.none")}>{t("mine.noneNext")}</Empty>;
  const columns: Column<Submission>[] = [
    {
      key: "name",
      header: t("mine.model"),
      cell: (model) => (
        <AnchorLink
          to="/tasks/$slug/models/$modelId"
          params={{ slug: model.task_slug, modelId: model.id }}
          underline="always"
        >
          {`${model.name} v${model.version}`}
        </AnchorLink>
      ),
    },
    { key: "status", header: t("mine.status"), cell: ({ status }) => t(`steps.${status}`) },
    {
      key: "seen",
      header: t("mine.seen"),
      cell: (model) =>
        t(
          model.is_published
            ? model.is_anonymous
              ? "mine.anonymous"
              : "mine.published"
            : "mine.private",
        ),
    },
    {
      key: "when",
      header: t("mine.when"),
      cell: ({ created_at }) => formatDate(created_at, i18n.language),
    },
  ];
  return (
    <DataTable caption={t("mine.caption")} rows={mine} rowKey={({ id }) => id} columns={columns} />
  );
}
