import { useTranslation } from "react-i18next";

import type { ChatTurn } from "../../../lib/field-values";
import { ariaKeys, useShortcut } from "../../../lib/shortcuts";
import { Kbd } from "../kbd";
import type { ChatChoice } from "./chat-port";
import classes from "./chat.module.css";

interface ChatChoiceRowProps {
  turn: ChatTurn;
  number: number;
  onChoose: (choice: ChatChoice) => void;
  /** Whether the keys act; on the last turn alone. */
  withKeys: boolean;
}

const PLACES: readonly ChatChoice[] = ["0", "1", "2", "3"];

/** Which of several replies is the best, or a tie, or none: by pointer, arrow keys or a key. */
export function ChatChoiceRow({ turn, number, onChoose, withKeys }: ChatChoiceRowProps) {
  const { t } = useTranslation();
  const count = turn.candidates.length;
  const options = [
    ...PLACES.slice(0, count).map((choice, place) => ({
      choice,
      keys: String(place + 1),
      label: t("chat.candidate", { name: turn.candidates[place]?.model ?? "" }),
    })),
    { choice: "tie" as const, keys: "t", label: t("chat.tie") },
    {
      choice: "all_bad" as const,
      keys: "b",
      label: t(count === 2 ? "chat.bothBad" : "chat.allBad"),
    },
  ];
  return (
    <fieldset className={classes.choice}>
      <legend className={classes.legend}>{t("chat.which", { number })}</legend>
      {options.map(({ choice, keys, label }) => (
        <ChoiceOption
          key={choice}
          group={`chat-choice-${number}`}
          keys={keys}
          label={label}
          isChosen={turn.choice === choice}
          onChoose={() => onChoose(choice)}
          withKeys={withKeys}
        />
      ))}
    </fieldset>
  );
}

interface ChoiceOptionProps {
  group: string;
  keys: string;
  label: string;
  isChosen: boolean;
  onChoose: () => void;
  withKeys: boolean;
}

function ChoiceOption(props: ChoiceOptionProps) {
  const { group, keys, label, isChosen, onChoose, withKeys } = props;
  useShortcut(keys, label, onChoose, withKeys);
  useShortcut(`alt+${keys}`, label, onChoose, withKeys);
  return (
    <label className={classes.option} data-chosen={isChosen}>
      <input
        type="radio"
        name={group}
        checked={isChosen}
        onChange={onChoose}
        {...(withKeys ? { "aria-keyshortcuts": `${keys} ${ariaKeys(`alt+${keys}`)}` } : {})}
      />
      <span>{label}</span>
      {withKeys && <Kbd keys={keys} />}
    </label>
  );
}
