import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { ConfirmButton } from "../../components/ui/confirm-button";
import { ButtonLink } from "../../components/ui/links";
import { ClosingWarning } from "./closing-warning";
import { exportAddress, type Round, useCloseRound, useOpenRound, useReopenRound } from "./queries";

interface RoundActionsProps {
  slug: string;
  round: Round;
  /** Examples without a verdict, which closing does not stop. */
  pending: number;
}

/** What an owner can do with a round as it stands; what is final asks once. */
export function RoundActions({ slug, round, pending }: RoundActionsProps) {
  const { t } = useTranslation("rounds");
  const open = useOpenRound();
  const close = useCloseRound();
  const reopen = useReopenRound();
  const { number, status } = round;
  return (
    <Group gap="xs">
      {status === "draft" && (
        <ConfirmButton
          variant="filled"
          consequence={t("actions.openWill")}
          onConfirm={() => open.mutateAsync(round.id)}
        >
          {t("actions.open", { number })}
        </ConfirmButton>
      )}
      {status === "open" && (
        <ConfirmButton
          consequence={t("actions.closeWill", { count: pending })}
          details={<ClosingWarning roundId={round.id} />}
          onConfirm={() => close.mutateAsync(round.id)}
        >
          {t("actions.close", { number })}
        </ConfirmButton>
      )}
      {status === "closed" && round.provenance === null && (
        <ConfirmButton
          consequence={t("actions.reopenWill")}
          onConfirm={() => reopen.mutateAsync(round.id)}
        >
          {t("actions.reopen", { number })}
        </ConfirmButton>
      )}
      {status !== "draft" && (
        <>
          <Button component="a" href={exportAddress(round.id)} download variant="default">
            {t("actions.export")}
          </Button>
          <ButtonLink
            to="/tasks/$slug/owner/examples"
            params={{ slug }}
            search={{ round: number }}
            variant="default"
          >
            {t("actions.examples")}
          </ButtonLink>
        </>
      )}
    </Group>
  );
}
