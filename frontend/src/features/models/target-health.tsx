import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { Loading, QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import { formatNumber } from "../../lib/format";
import { modelHealthQuery } from "./queries";

const STATES = ["ready", "cold", "stopped"] as const;

function knownState(state: string): (typeof STATES)[number] | "other" {
  return STATES.find((one) => one === state) ?? "other";
}

interface TargetHealthProps {
  targets: readonly Schemas["TargetRead"][];
}

/** How each target of a round is doing, a line each. */
export function TargetHealth({ targets }: TargetHealthProps) {
  return (
    <Stack gap="xs">
      {targets.map((target) => (
        <HealthLine key={target.model_id} target={target} />
      ))}
    </Stack>
  );
}

function HealthLine({ target }: { target: Schemas["TargetRead"] }) {
  return (
    <div>
      <Text fw={600}>{`${target.name} v${target.version}`}</Text>
      <ModelHealth modelId={target.model_id} />
    </div>
  );
}

/** How a model is doing on this server, in words. */
export function ModelHealth({ modelId }: { modelId: string }) {
  const { t, i18n } = useTranslation("models");
  const health = useQuery(modelHealthQuery(modelId));
  return (
    <QueryView query={health} loading={<Loading lines={1} />}>
      {(found) => (
        <>
          <Text size="sm">
            {[
              t(`health.state.${knownState(found.state)}`, { state: found.state }),
              t("health.answered", { count: found.answered }),
              found.median_latency_ms === null
                ? null
                : t("health.latency", {
                    ms: formatNumber(found.median_latency_ms, i18n.language),
                  }),
              found.queue_length > 0 ? t("health.queue", { count: found.queue_length }) : null,
              found.failed > 0 ? t("health.failed", { count: found.failed }) : null,
              found.restarts > 0 ? t("health.restarts", { count: found.restarts }) : null,
            ]
              .filter((part) => part !== null)
              .join(" · ")}
          </Text>
          {found.last_error !== null && (
            <Text size="sm" c="var(--db-bad)">
              {t("health.lastError", { error: found.last_error })}
            </Text>
          )}
        </>
      )}
    </QueryView>
  );
}
