import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { FieldValues } from "../../components/ui/fields/field-values";
import type { DrawnConfig } from "../../lib/task-config";
import type { Item } from "./queries";
import classes from "./validate.module.css";

interface AuthorsClaimProps {
  item: Item;
  config: DrawnConfig;
}

/** Where the author says whether the model was wrong: what it answered, the rubric, their word. */
export function AuthorsClaim({ item, config }: AuthorsClaimProps) {
  const { t } = useTranslation("validate");
  // What was replied in a conversation stands there already.
  const isTold = config.inputs.some(({ type }) => type === "chat") && config.outputs.length === 1;
  const answers = isTold ? [] : (item.model_answers ?? []);
  const { author_says_wrong: saysWrong } = item;
  return (
    <>
      {answers.map((values, index) => (
        <div key={index} className={classes.answer}>
          <Text size="sm" c="dimmed">
            {t("modelSays")}
          </Text>
          <FieldValues fields={config.outputs} values={values} />
        </div>
      ))}
      {config.criteria.length > 0 && (
        <div className={classes.answer}>
          <Text size="sm" c="dimmed">
            {t("rubric")}
          </Text>
          <ul>
            {config.criteria.map(({ name, text }) => (
              <li key={name} dir="auto">
                {text}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className={classes.answer}>
        <Text size="sm" c="dimmed">
          {t("authorSays")}
        </Text>
        <Text fw={600}>
          {saysWrong === null ? t("claim.open") : saysWrong ? t("claim.wrong") : t("claim.right")}
        </Text>
      </div>
    </>
  );
}
