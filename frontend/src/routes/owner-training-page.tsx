import "../lib/i18n/later/training";

import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { Section } from "../components/ui/section";
import { Loading, QueryView } from "../components/ui/states";
import { datasetsQuery } from "../features/tasks/queries";
import { recipeListQuery, trainingListQuery } from "../features/training/queries";
import { TrainingForm } from "../features/training/training-form";
import { TrainingList } from "../features/training/training-list";
import { OwnerFrame } from "./owner-frame";

/** The next model: how and from what it learns, and what became of those before. */
export function OwnerTrainingPage() {
  const { slug } = useParams({ from: "/tasks/$slug/owner/training" });
  const { t } = useTranslation("training");
  return (
    <OwnerFrame slug={slug} section="training">
      {() => (
        <Stack gap="xl">
          <Section title={t("title")}>
            <NewTraining slug={slug} />
          </Section>
          <Section title={t("list")}>
            <Trainings slug={slug} />
          </Section>
        </Stack>
      )}
    </OwnerFrame>
  );
}

function NewTraining({ slug }: { slug: string }) {
  const recipes = useQuery(recipeListQuery(slug));
  const datasets = useQuery(datasetsQuery(slug));
  return (
    <QueryView query={recipes} loading={<Loading lines={6} />}>
      {(found) => (
        <QueryView query={datasets} loading={<Loading lines={6} />}>
          {(released) => (
            <TrainingForm
              slug={slug}
              recipes={found}
              datasets={released.filter(({ origin }) => origin !== "perturbation")}
            />
          )}
        </QueryView>
      )}
    </QueryView>
  );
}

function Trainings({ slug }: { slug: string }) {
  const { t } = useTranslation("training");
  const trainings = useQuery(trainingListQuery(slug));
  return (
    <QueryView
      query={trainings}
      isEmpty={(found) => found.length === 0}
      empty={<Text c="dimmed">{t("noTrainings")}</Text>}
    >
      {(found) => <TrainingList slug={slug} trainings={found} />}
    </QueryView>
  );
}
