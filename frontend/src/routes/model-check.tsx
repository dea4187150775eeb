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
            upload={awaitsFiles ? <ArtifactUpload model={model} onDone={() => undefined} /> : null}
          />
        </Section>
      )}
      {model.kind === "predictions" && model.is_mine && (
        <Section title={t("predictions.title")}>
          <Files modelId={model.id} />
        </Section>
      )}
    </>
  );
}

function Files({ modelId }: { modelId: string }) {
  const evaluations = useQuery(evaluationListQuery(modelId, true));
  return (
    <QueryView query={evaluations}>
      {(found) => (
        <PredictionFiles
          modelId={modelId}
          itemsAddress={(versionId) => `/api/v1/datasets/${versionId}/items?split=test`}
          files={found.map((one) => ({
            versionId: one.dataset_version_id,
            dataset: `${one.dataset_name} v${one.dataset_version}`,
            items: one.items,
            isThere: one.state !== "incomplete",
          }))}
        />
      )}
    </QueryView>
  );
}
