import { useTranslation } from "react-i18next";

const TITLES = new Map([
  ["app.tidy_up", "app_tidy_up"],
  ["datasets.release", "datasets_release"],
  ["datasets.published", "datasets_published"],
  ["datasets.archive", "datasets_archive"],
  ["datasets.import", "datasets_import"],
  ["datasets.perturb", "datasets_perturb"],
  ["models.check", "models_check"],
  ["models.submitted", "models_submitted"],
  ["models.remove", "models_remove"],
  ["models.files_left", "models_files_left"],
  ["leaderboards.figures", "leaderboards_figures"],
  ["leaderboards.scale", "leaderboards_scale"],
  ["training.train", "training_train"],
  ["evaluations.evaluate", "evaluations_evaluate"],
  ["evaluations.scores_changed", "evaluations_scores_changed"],
  ["gallery.add_task", "gallery_add_task"],
] as const);

function titleKeyOf(name: string) {
  return [...TITLES].find(([known]) => known === name)?.[1] ?? "other";
}

/** What a job is called on the pages; one that no page knows goes by its own name. */
export function useJobTitle(): (job: { name: string }) => string {
  const { t } = useTranslation("jobs");
  return ({ name }) => t(`name.${titleKeyOf(name)}`, { name });
}
