import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { AnchorLink } from "../../components/ui/links";
import { formatDateTime } from "../../lib/format";
import { sizeInWords } from "../../lib/media-files";
import classes from "./models.module.css";
import type { Model } from "./queries";

interface ModelFactsProps {
  model: Model;
  /** The same name's versions, newest first. */
  versions: readonly Model[];
}

/** What a model is: kind, isolation in words, digest, who submitted it, its other versions. */
export function ModelFacts({ model, versions }: ModelFactsProps) {
  const { t, i18n } = useTranslation("models");
  const size = model.artifact_bytes ?? null;
  const others = versions.filter(({ id }) => id !== model.id);
  return (
    <dl className={classes.facts}>
      <dt>{t("facts.kind")}</dt>
      <dd>{t(`kind.${model.kind}`)}</dd>
      <dt>{t("facts.isolation")}</dt>
      <dd>
        <Text inherit c={model.isolation === "trusted" ? "var(--db-warning)" : ""}>
          {t(`isolation.${model.isolation}`)}
        </Text>
      </dd>
      <dt>{t("facts.by")}</dt>
      <dd>
        <Submitter model={model} />
      </dd>
      <dt>{t("facts.when")}</dt>
      <dd>{formatDateTime(model.created_at, i18n.language)}</dd>
      {size !== null && (
        <>
          <dt>{t("facts.size")}</dt>
          <dd>{sizeInWords(size, i18n.language)}</dd>
        </>
      )}
      <dt>{t("facts.digest")}</dt>
      <dd className={classes.digest}>{model.digest}</dd>
      {others.length > 0 && (
        <>
          <dt>{t("facts.versions")}</dt>
          <dd>
            {others.map(({ id, task_slug, version }, place) => (
              <span key={id}>
                {place > 0 && ", "}
                <AnchorLink
                  to="/tasks/$slug/models/$modelId"
                  params={{ slug: task_slug, modelId: id }}
                  underline="always"
                  inherit
                >
                  {`v${version}`}
                </AnchorLink>
              </span>
            ))}
          </dd>
        </>
      )}
    </dl>
  );
}

/** Who submitted a model; what the platform brings has nobody, and who asked for it no name. */
function Submitter({ model }: { model: Model }) {
  const { t } = useTranslation("models");
  const { submitted_by: by, is_anonymous, is_mine } = model;
  const hidden = is_anonymous ? t("facts.anonymous") : t("facts.platform");
  if (by === null) return is_mine ? t("facts.youAnonymous") : hidden;
  return (
    <>
      <AnchorLink to="/users/$username" params={{ username: by }} underline="always" inherit>
        {by}
      </AnchorLink>
      {is_anonymous && ` (${t("facts.hiddenFromOthers")})`}
    </>
  );
}
