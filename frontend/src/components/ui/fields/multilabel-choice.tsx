import { Checkbox, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { ariaKeys, useShortcut } from "../../../lib/shortcuts";
import { Kbd } from "../kbd";
import { ChoiceGroup } from "./choice-group";
import classes from "./multilabel-choice.module.css";

interface MultilabelChoiceProps {
  labels: readonly string[];
  title: string;
  /** Null where nothing was said; an empty list says that none fits. */
  value: readonly string[] | null;
  onChange: (labels: readonly string[] | null) => void;
  error: string | undefined;
  isRequired: boolean;
  withNumberKeys: boolean;
}

const MOST_KEYS = 9;
const NONE_KEY = "0";

/** Any of a few labels, by pointer, space bar or number; that none fits is said on its own. */
export function MultilabelChoice(props: MultilabelChoiceProps) {
  const { labels, title, value, onChange, error, isRequired, withNumberKeys } = props;
  const { t } = useTranslation();
  const toggle = (label: string) => {
    const chosen = new Set(value ?? []);
    if (!chosen.delete(label)) chosen.add(label);
    // With the last label gone nothing is said any more, which is not the same as none.
    onChange(chosen.size === 0 ? null : labels.filter((one) => chosen.has(one)));
  };
  const isNone = value?.length === 0;
  return (
    <ChoiceGroup
      role="group"
      title={title}
      error={error}
      isRequired={isRequired}
      className={classes.options}
    >
      {labels.map((label, index) => (
        <Option
          key={label}
          label={label}
          isChosen={value?.includes(label) ?? false}
          keys={withNumberKeys && index < MOST_KEYS ? String(index + 1) : null}
          onToggle={() => toggle(label)}
        />
      ))}
      <Option
        label={t("field.noneOfThese")}
        isChosen={isNone}
        keys={withNumberKeys ? NONE_KEY : null}
        onToggle={() => onChange(isNone ? null : [])}
      />
    </ChoiceGroup>
  );
}

interface OptionProps {
  label: string;
  isChosen: boolean;
  keys: string | null;
  onToggle: () => void;
}

function Option({ label, isChosen, keys, onToggle }: OptionProps) {
  const key = keys ?? "";
  useShortcut(key, label, onToggle, keys !== null);
  useShortcut(`alt+${key}`, label, onToggle, keys !== null);
  return (
    <Checkbox
      checked={isChosen}
      onChange={onToggle}
      label={
        <Group gap={8} component="span">
          <bdi>{label}</bdi>
          {keys !== null && <Kbd keys={keys} />}
        </Group>
      }
      {...(keys === null ? {} : { "aria-keyshortcuts": `${keys} ${ariaKeys(`alt+${keys}`)}` })}
    />
  );
}
