import { Group, Radio } from "@mantine/core";

import { ariaKeys, useShortcut } from "../../../lib/shortcuts";
import { Kbd } from "../kbd";

interface LabelChoiceProps {
  labels: readonly string[];
  title: string;
  value: string | null;
  onChange: (label: string) => void;
  error: string | undefined;
  isRequired: boolean;
  withNumberKeys: boolean;
}

const MOST_KEYS = 9;

/** One of a few labels, by pointer, arrow keys or the label's number (Alt and it while typing). */
export function LabelChoice(props: LabelChoiceProps) {
  const { labels, title, value, onChange, error, isRequired, withNumberKeys } = props;
  return (
    <Radio.Group
      label={title}
      value={value}
      onChange={onChange}
      error={error}
      required={isRequired}
    >
      <Group gap="sm" mt={8}>
        {labels.map((label, index) => (
          <LabelOption
            key={label}
            label={label}
            number={withNumberKeys && index < MOST_KEYS ? index + 1 : null}
            onChoose={() => onChange(label)}
          />
        ))}
      </Group>
    </Radio.Group>
  );
}

interface LabelOptionProps {
  label: string;
  number: number | null;
  onChoose: () => void;
}

function LabelOption({ label, number, onChoose }: LabelOptionProps) {
  const keys = String(number);
  useShortcut(keys, label, onChoose, number !== null);
  useShortcut(`alt+${keys}`, label, onChoose, number !== null);
  return (
    <Radio
      value={label}
      label={
        <Group gap={8} component="span">
          <bdi>{label}</bdi>
          {number !== null && <Kbd keys={keys} />}
        </Group>
      }
      {...(number === null ? {} : { "aria-keyshortcuts": `${keys} ${ariaKeys(`alt+${keys}`)}` })}
    />
  );
}
