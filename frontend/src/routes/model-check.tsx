import "../lib/i18n/later/evaluations";
import "../lib/i18n/later/submissions";

import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { Section } from "../components/ui/section";
import { QueryView } from "../components/ui/states";
import { evaluationListQuery } from "../features/evaluations/queries";
import type { Model } from "../features/models/queries";
import { ArtifactUpload, hasFiles } from "../features/submissions/artifact-upload";
import { CheckStatus } from "../features/submissions/check-status";
import { PredictionFiles } from "../features/submissions/prediction-files";
import { datasetsQuery } from "../features/tasks/queries";

/** Where a submission stands, for those who speak for it; nothing once it is ready and public. */
export function ModelCheck({ model }: { model: Model }) {
  const { t } = useTranslation("submissions");
  const awaitsFiles =
    model.status === "submitted" &&
    (model.job_id ?? null) === null &&
    hasFiles(model.kind) &&
    model.is_mine;
  return (
    <>
      {(model.status !== "ready" || !model.is_published) && (
        <Section title={t("steps.title")}>
          <CheckStatus
            model={model}
            awaitsFiles={
              awaitsFiles || (model.kind === "predictions" && model.status === "submitted")
            }
            upload={awaitsFiles ? <ArtifactUpload model={model} onDone={() => undefined} /> : null}
          />
        </Section>
      )}
      {model.kind === "predictions" && model.is_mine && (
        <Section title={t("predictions.title")}>
          <Files model={model} />
        </Section>
      )}
    </>
  );
}

function Files({ model }: { model: Model }) {
  const evaluations = useQuery(evaluationListQuery(model.id));
  const datasets = useQuery(datasetsQuery(model.task_slug));
  // What is incomplete waits for its file; a set without an evaluation does so too.
  const answered = new Set(
    (evaluations.data ?? [])
      .filter(({ state }) => state !== "incomplete")
      .map(({ dataset_version_id }) => dataset_version_id),
  );
  return (
    <QueryView query={evaluations}>
      {() => (
        <QueryView query={datasets}>
          {(found) => (
            <PredictionFiles
              modelId={model.id}
              itemsAddress={(versionId) => `/api/v1/dataset-versions/${versionId}/splits/test`}
              files={found
                .map((one) => ({
                  versionId: one.id,
                  dataset: `${one.name} v${one.version}`,
                  items: one.splits.find(({ split }) => split === "test")?.items ?? 0,
                  isThere: answered.has(one.id),
                }))
                .filter(({ items }) => items > 0)}
            />
          )}
        </QueryView>
      )}
    </QueryView>
  );
}
