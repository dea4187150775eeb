import { Modal } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { KeyButton } from "../../components/ui/key-button";
import { Markdown } from "../../components/ui/markdown";

/** The task's instructions, one key away. */
export function InstructionsButton({ instructions }: { instructions: string }) {
  const { t } = useTranslation(["validate", "ui"]);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <KeyButton keys="i" variant="subtle" onKey={() => setOpen(true)}>
        {t("instructions")}
      </KeyButton>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t("instructions")}
        size="lg"
        closeButtonProps={{ "aria-label": t("close", { ns: "ui" }) }}
      >
        <Markdown topHeading={3}>{instructions}</Markdown>
      </Modal>
    </>
  );
}
