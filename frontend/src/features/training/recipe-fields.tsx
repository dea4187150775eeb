import { Alert, Radio, Stack, TextInput } from "@mantine/core";
import { useId } from "react";
import { Controller, type UseFormReturn, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";

import type { Recipe } from "./queries";
import { useRecipeText } from "./recipe-text";
import { recipeCalled, type TrainingValues } from "./training-values";
import classes from "./training.module.css";

interface RecipeFieldsProps {
  form: UseFormReturn<TrainingValues>;
  recipes: readonly Recipe[];
}

/** How to train; what this machine lacks is greyed, with the reason. */
export function RecipeField({ form, recipes }: RecipeFieldsProps) {
  const { t } = useTranslation("training");
  const text = useRecipeText();
  return (
    <Controller
      control={form.control}
      name="recipe"
      render={({ field, fieldState }) => (
        <Radio.Group label={t("recipe")} error={fieldState.error?.message} {...field}>
          <Stack gap="xs" mt={8}>
            {recipes.map((recipe) => (
              <Radio
                key={recipe.name}
                value={recipe.name}
                label={text.recipe(recipe).title}
                disabled={recipe.unavailable !== null}
                description={
                  recipe.unavailable === null ? (
                    text.recipe(recipe).description
                  ) : (
                    <Unavailable recipe={recipe} />
                  )
                }
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
    />
  );
}

/** Why a recipe cannot be chosen: in the page's language where it is only not installed. */
function Unavailable({ recipe }: { recipe: Recipe }) {
  const { t } = useTranslation("training");
  if (recipe.missing_extra === null) return <span lang="en">{recipe.unavailable}</span>;
  const command = `pip install 'dynabench-platform[${recipe.missing_extra}]'`;
  return (
    <>
      {t("unavailable")} <code className={classes.command}>{command}</code>
    </>
  );
}

/** What can be set of the chosen recipe: what it needs at once, the rest where it is asked for. */
export function OptionFields({
  form,
  recipes,
  isNeeded,
}: RecipeFieldsProps & { isNeeded: boolean }) {
  const chosen = useWatch({ control: form.control, name: "recipe" });
  const options = recipeCalled(recipes, chosen)?.options ?? [];
  return options
    .filter((option) => option.is_needed === isNeeded)
    .map((option) => <OptionField key={`${chosen}.${option.name}`} form={form} option={option} />);
}

interface OptionFieldProps {
  form: UseFormReturn<TrainingValues>;
  option: Recipe["options"][number];
}

function OptionField({ form, option }: OptionFieldProps) {
  const { t } = useTranslation("training");
  const text = useRecipeText().option(option);
  const listId = useId();
  const error = form.formState.errors.options?.[option.name]?.message;
  const preset = option.default === null ? "" : String(option.default);
  return (
    <>
      <TextInput
        label={text.title}
        description={text.description}
        required={option.is_needed}
        autoComplete="off"
        spellCheck={false}
        inputMode={option.kind === "text" ? "text" : "decimal"}
        placeholder={preset === "" ? t("noPreset") : preset}
        maw={option.kind === "text" ? undefined : 240}
        list={option.choices.length > 0 ? listId : undefined}
        error={error}
        {...form.register(`options.${option.name}`)}
      />
      {option.choices.length > 0 && (
        <datalist id={listId}>
          {option.choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** Says that no recipe fits, and what to do instead. */
export function NoRecipe() {
  const { t } = useTranslation("training");
  return <Alert title={t("noRecipe.title")}>{t("noRecipe.body")}</Alert>;
}
