import { useTranslation } from "react-i18next";

import type { Recipe } from "./queries";

const RECIPES = [
  "text-classifier",
  "majority",
  "extractive-reader",
  "span-tagger",
  "translator",
  "picture-answerer",
  "sound-transcriber",
  "transformers",
] as const;

const OPTIONS = [
  "inverse_regularisation",
  "word_ngrams",
  "character_ngrams",
  "max_features",
  "ridge",
  "rivals",
  "checkpoint",
  "revision",
  "epochs",
  "batch_size",
  "learning_rate",
  "max_length",
] as const;

interface Told {
  title: string;
  description: string;
}

/** What recipes and their options are called here; an unknown one goes by the server's words. */
export function useRecipeText() {
  const { t } = useTranslation("training");
  return {
    recipe: (told: Told & { name: string }): Told => {
      const name = RECIPES.find((one) => one === told.name);
      if (name === undefined) return told;
      return { title: t(`recipes.${name}.title`), description: t(`recipes.${name}.help`) };
    },
    option: (told: Recipe["options"][number]): Told => {
      const name = OPTIONS.find((one) => one === told.name);
      if (name === undefined) return told;
      return { title: t(`options.${name}.title`), description: t(`options.${name}.help`) };
    },
  };
}
