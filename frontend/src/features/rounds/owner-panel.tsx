import { Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { AnchorLink } from "../../components/ui/links";
import { QueryView } from "../../components/ui/states";
import { BudgetProgress } from "./budget-progress";
import { errorRateQuery, type Round } from "./queries";
import { RoundActions } from "./round-actions";
import classes from "./rounds.module.css";

interface OwnerPanelProps {
  slug: string;
  round: Round;
  /** How the round's targets are doing. */
  health: ReactNode;
  /** Under the buttons: the round's release. */
  children?: ReactNode;
}

/** Everything an owner needs about a round in a working day. */
export function OwnerPanel({ slug, round, health, children }: OwnerPanelProps) {
  const { t } = useTranslation("rounds");
  // A released round is frozen: nobody votes or decides any more.
  const isFrozen = round.status === "released";
  const rates = useQuery(errorRateQuery(round.id));
  return (
    <Stack component="section" className={classes.panel} gap="md" aria-label={t("owner.title")}>
      <QueryView query={rates}>
        {(found) => (
          <>
            <div className={classes.figures}>
              <Figure count={found.pending} name={t("owner.backlog")} isFrozen={isFrozen}>
                <AnchorLink
                  to="/tasks/$slug/validate"
                  params={{ slug }}
                  search={{ round: round.number }}
                >
                  {t("owner.validate")}
                </AnchorLink>
              </Figure>
              <Figure count={found.disputed} name={t("owner.disputes")} isFrozen={isFrozen}>
                <AnchorLink
                  to="/tasks/$slug/owner/examples"
                  params={{ slug }}
                  search={{ round: round.number, verdict: "disputed" }}
                >
                  {t("owner.decide")}
                </AnchorLink>
              </Figure>
              <div>
                <Title order={3} size="h5" mb={8}>
                  {t("owner.budget")}
                </Title>
                <BudgetProgress round={round} rates={found} />
              </div>
            </div>
            <div>
              <Title order={3} size="h5" mb={8}>
                {t("owner.health")}
              </Title>
              {health}
            </div>
            <RoundActions slug={slug} round={round} pending={found.pending} />
            {children}
          </>
        )}
      </QueryView>
    </Stack>
  );
}

interface FigureProps {
  count: number;
  name: string;
  isFrozen: boolean;
  /** What to do about it; shown where there is anything and it can be done. */
  children: ReactNode;
}

function Figure({ count, name, isFrozen, children }: FigureProps) {
  return (
    <div>
      <Text className={classes.number}>{count}</Text>
      <Text>{name}</Text>
      {count > 0 && !isFrozen && children}
    </div>
  );
}
