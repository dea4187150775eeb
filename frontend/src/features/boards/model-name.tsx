import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import classes from "./boards.module.css";
import type { BoardModel } from "./queries";

interface ModelNameProps {
  slug: string;
  model: BoardModel;
}

/** A model version with what a reader must know of it: whose it is, and what it ran in. */
export function ModelName({ slug, model }: ModelNameProps) {
  const { t } = useTranslation("boards");
  const marks = [
    ...(model.is_published ? [] : [t("model.private")]),
    ...(model.isolation === "trusted" ? [t("model.trusted")] : []),
    ...(model.kind === "predictions" ? [t("model.predictions")] : []),
    ...(model.is_measured_at_client ? [t("model.remote")] : []),
  ];
  const author = model.is_mine
    ? t("model.mine")
    : (model.submitted_by ?? (model.is_anonymous ? t("model.anonymous") : ""));
  const facts = [author, ...marks].filter((fact) => fact !== "").join(" · ");
  return (
    <div className={classes.model}>
      <Anchor component={Link} to={`/tasks/${slug}/models/${model.id}`}>
        {t("model.name", { name: model.name, version: model.version })}
      </Anchor>
      {facts !== "" && (
        <Text size="sm" c="dimmed">
          {facts}
        </Text>
      )}
    </div>
  );
}
