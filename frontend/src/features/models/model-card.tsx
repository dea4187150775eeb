import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Markdown } from "../../components/ui/markdown";
import { Empty } from "../../components/ui/states";
import { CARD_FIELDS } from "./card-fields";
import { ModelCardForm } from "./model-card-form";
import classes from "./models.module.css";
import type { Model } from "./queries";

interface ModelCardProps {
  model: Model;
  /** Whether the reader speaks for the model. */
  canEdit: boolean;
}

/** What a model's authors say of it, with the form where one of them reads it. */
export function ModelCard({ model, canEdit }: ModelCardProps) {
  const { t } = useTranslation("models");
  const [isEditing, setEditing] = useState(false);
  if (isEditing) return <ModelCardForm model={model} onClose={() => setEditing(false)} />;
  const said = CARD_FIELDS.filter((name) => (model.card?.[name] ?? "").trim() !== "");
  const edit = canEdit && (
    <div>
      <Button variant="default" onClick={() => setEditing(true)}>
        {t(said.length === 0 ? "card.write" : "card.edit")}
      </Button>
    </div>
  );
  if (said.length === 0) {
    return (
      <Empty title={t("card.none")} action={edit}>
        {canEdit ? t("card.noneNext") : undefined}
      </Empty>
    );
  }
  return (
    <Stack gap="sm">
      <dl className={classes.card}>
        {said.map((name) => (
          <div key={name}>
            <Text component="dt">{t(`card.${name}`)}</Text>
            <dd>
              <Markdown topHeading={4}>{model.card?.[name] ?? ""}</Markdown>
            </dd>
          </div>
        ))}
      </dl>
      {edit}
    </Stack>
  );
}
