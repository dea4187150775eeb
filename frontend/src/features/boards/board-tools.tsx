import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { CodeBlock } from "../../components/ui/code-block";
import { type BoardAsked, embedAddress, fileAddress } from "./board-search";
import type { Board } from "./queries";
import { SaveBoard } from "./save-board";

const FORMS = ["csv", "tex", "json"] as const;

interface BoardToolsProps {
  board: Board;
  asked: BoardAsked;
  /** Who is signed in may save a board. */
  isSignedIn: boolean;
}

/** Save the board, take it along as a file, or show it on another page. */
export function BoardTools({ board, asked, isSignedIn }: BoardToolsProps) {
  const { t } = useTranslation(["boards", "ui"]);
  const navigate = useNavigate();
  const [open, setOpen] = useState<"save" | "embed" | null>(null);
  const close = () => setOpen(null);
  const frame = `<iframe src="${embedAddress(board.task_slug, asked)}" title="${t("embed.frame")}" width="100%" height="600" loading="lazy"></iframe>`;
  return (
    <Group gap="xs">
      {isSignedIn && (
        <Button variant="default" onClick={() => setOpen("save")}>
          {t("save.open")}
        </Button>
      )}
      {FORMS.map((form) => (
        <Button
          key={form}
          component="a"
          href={fileAddress(board.task_slug, form, asked)}
          download
          variant="default"
        >
          {t(`files.${form}`)}
        </Button>
      ))}
      <Button variant="default" onClick={() => setOpen("embed")}>
        {t("embed.open")}
      </Button>
      <SaveBoard
        board={board}
        isOpen={open === "save"}
        onClose={close}
        onSaved={(boardId) => {
          close();
          void navigate({
            to: "/tasks/$slug/boards/$boardId",
            params: { slug: board.task_slug, boardId },
          });
        }}
      />
      <Modal
        opened={open === "embed"}
        onClose={close}
        title={t("embed.title")}
        size="lg"
        closeButtonProps={{ "aria-label": t("close", { ns: "ui" }) }}
      >
        <Stack gap="sm">
          <Text>{t("embed.help")}</Text>
          <CodeBlock code={frame} label={t("embed.title")} />
        </Stack>
      </Modal>
    </Group>
  );
}
