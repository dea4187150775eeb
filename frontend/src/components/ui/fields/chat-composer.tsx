import { Button, Group, Text, Textarea } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";

import type { ChatField } from "../../../lib/task-config";
import { FormAlert } from "../form-alert";
import { KeyButton } from "../key-button";
import type { ChatPort } from "./chat-port";

interface ChatComposerProps {
  field: ChatField;
  port: ChatPort;
  error: string | undefined;
}

/** The box for the next message; Enter sends it, Shift and Enter begin a new line. */
export function ChatComposer({ field, port, error }: ChatComposerProps) {
  const { t } = useTranslation();
  const isFull = port.turns.length >= (field.max_turns ?? 20);
  const last = port.turns.at(-1);
  const needsChoice = last !== undefined && last.candidates.length > 1 && last.choice === null;
  const send = () => {
    if (!port.isBusy && !isFull && !needsChoice && port.draft.trim() !== "") port.say();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key !== "Enter" || !isPlain || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const hint = isFull ? t("chat.full") : needsChoice ? t("chat.choose") : t("chat.enter");
  return (
    <>
      <Textarea
        label={t("chat.message")}
        description={hint}
        inputWrapperOrder={["label", "input", "description", "error"]}
        value={port.draft}
        onChange={(event) => port.setDraft(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        error={error}
        autosize
        minRows={2}
        maxRows={8}
        dir="auto"
      />
      <FormAlert error={port.error} />
      <Group gap="xs">
        <Button
          variant="light"
          onClick={send}
          loading={port.pending !== null}
          disabled={isFull || needsChoice || port.isBusy}
        >
          {t("chat.send")}
        </Button>
        {port.regenerate !== null && last !== undefined && (
          <KeyButton
            keys="alt+r"
            variant="subtle"
            onKey={port.regenerate}
            disabled={port.isBusy || port.regenerationsLeft === 0}
          >
            {t("chat.regenerate", { count: last.candidates.length })}
          </KeyButton>
        )}
        {port.regenerate !== null && last !== undefined && (
          <Text size="sm" c="dimmed">
            {t("chat.regenerationsLeft", { count: port.regenerationsLeft })}
          </Text>
        )}
      </Group>
    </>
  );
}
