import { useTranslation } from "react-i18next";

import type { ChatTurn } from "../../../lib/field-values";
import { ChatReplies } from "./chat-replies";
import classes from "./chat.module.css";

interface ChatViewProps {
  turns: readonly ChatTurn[];
}

/** A finished conversation, to be read. */
export function ChatView({ turns }: ChatViewProps) {
  const { t } = useTranslation();
  return (
    <ol className={classes.turns}>
      {turns.map((turn, index) => (
        <li key={index} className={classes.turn}>
          <SaidByUser text={turn.text} by={t("chat.person")} />
          <ChatReplies turn={turn} />
          <Outcome turn={turn} />
        </li>
      ))}
    </ol>
  );
}

interface SaidByUserProps {
  text: string;
  /** Who it was, as the reader knows them. */
  by: string;
}

/** What the person said. */
export function SaidByUser({ text, by }: SaidByUserProps) {
  return (
    <div className={classes.user}>
      <span className={classes.speaker}>{by}</span>
      <p className={classes.text} dir="auto">
        {text}
      </p>
    </div>
  );
}

function Outcome({ turn }: { turn: ChatTurn }) {
  const { t } = useTranslation();
  if (turn.choice !== "tie" && turn.choice !== "all_bad") return null;
  return <p className={classes.outcome}>{t(`chat.chosen.${turn.choice}`)}</p>;
}
