import { Radio, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { KINDS, type SubmittedKind } from "./model-form-schema";
import classes from "./models.module.css";

const OF_CODE: ReadonlySet<SubmittedKind> = new Set(["handler", "huggingface", "onnx"]);

interface KindChoiceProps {
  value: SubmittedKind;
  onChange: (kind: SubmittedKind) => void;
  /** Why this server takes no code; null where it does. */
  codeRefusal: string | null;
}

/** What is handed in: each kind with a sentence and what it needs. */
export function KindChoice({ value, onChange, codeRefusal }: KindChoiceProps) {
  const { t } = useTranslation("models");
  return (
    <Radio.Group
      label={t("submit.kind")}
      value={value}
      onChange={(chosen) => {
        const kind = KINDS.find((one) => one === chosen);
        if (kind !== undefined) onChange(kind);
      }}
    >
      <Stack gap={0} mt={8} className={classes.kinds}>
        {KINDS.map((kind) => (
          <Radio
            key={kind}
            value={kind}
            classNames={{ root: classes.kind ?? "" }}
            disabled={codeRefusal !== null && OF_CODE.has(kind)}
            label={t(`kind.${kind}`)}
            description={t(`submit.about.${kind}`)}
          />
        ))}
      </Stack>
      {codeRefusal !== null && (
        <Text size="sm" mt="xs" c="var(--db-warning)">
          {codeRefusal}
        </Text>
      )}
    </Radio.Group>
  );
}
