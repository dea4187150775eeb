import { Group, Stack, Switch, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { ConfirmButton } from "../../components/ui/confirm-button";
import { FormAlert } from "../../components/ui/form-alert";
import { missingIn } from "./card-fields";
import { type Model, useChangeModel, useDeleteModel } from "./queries";

interface ModelDeedsProps {
  model: Model;
  onDeleted: () => void;
}

/** Publish a model, withdraw it, hide who submitted it, delete it: each says what it does. */
export function ModelDeeds({ model, onDeleted }: ModelDeedsProps) {
  const { t } = useTranslation("models");
  const change = useChangeModel(model.id);
  const remove = useDeleteModel(model.id);
  const missing = missingIn(model.card ?? null);
  const canPublish = model.status === "ready" && missing.length === 0;
  const why =
    model.status === "ready"
      ? t("deeds.cardNeeded", { parts: missing.map((name) => t(`card.${name}`)).join(", ") })
      : t("deeds.notReady");
  return (
    <Stack gap="sm">
      <Text>{t(model.is_published ? "deeds.isPublished" : "deeds.isPrivate")}</Text>
      {!model.is_published && !canPublish && <Text c="dimmed">{why}</Text>}
      {model.is_mine && (
        <div>
          <Switch
            label={t("deeds.anonymous")}
            description={t("submit.anonymousHelp")}
            checked={model.is_anonymous}
            disabled={change.isPending}
            onChange={(event) => change.mutate({ is_anonymous: event.currentTarget.checked })}
          />
          <FormAlert error={change.error} />
        </div>
      )}
      <Group gap="xs">
        {model.is_published ? (
          <ConfirmButton
            consequence={t("deeds.withdrawWill")}
            onConfirm={() => change.mutateAsync({ is_published: false })}
          >
            {t("deeds.withdraw")}
          </ConfirmButton>
        ) : (
          model.is_mine && (
            <ConfirmButton
              variant="filled"
              disabled={!canPublish}
              consequence={t("deeds.publishWill")}
              onConfirm={() => change.mutateAsync({ is_published: true })}
            >
              {t("deeds.publish")}
            </ConfirmButton>
          )
        )}
        <ConfirmButton
          consequence={t("deeds.deleteWill")}
          onConfirm={async () => {
            await remove.mutateAsync();
            onDeleted();
          }}
        >
          {t("deeds.delete")}
        </ConfirmButton>
      </Group>
    </Stack>
  );
}
