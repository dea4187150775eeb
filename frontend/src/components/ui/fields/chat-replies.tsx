import { useTranslation } from "react-i18next";

import type { ChatReply, ChatTurn } from "../../../lib/field-values";
import { RatingRow } from "./chat-rating";
import classes from "./chat.module.css";

interface ChatRepliesProps {
  turn: ChatTurn;
  /** Called with the place of the reply; absent where nothing can be rated. */
  onRate?: ((place: number, rating: number) => void) | undefined;
}

/** The replies to one message: one alone, several side by side. */
export function ChatReplies({ turn, onRate }: ChatRepliesProps) {
  return (
    <div className={classes.replies}>
      {turn.candidates.map((reply, place) => (
        <Reply
          key={reply.model}
          reply={reply}
          isAlone={turn.candidates.length === 1}
          isChosen={turn.choice === String(place)}
          onRate={onRate === undefined ? undefined : (rating) => onRate(place, rating)}
        />
      ))}
    </div>
  );
}

interface ReplyProps {
  reply: ChatReply;
  isAlone: boolean;
  isChosen: boolean;
  onRate: ((rating: number) => void) | undefined;
}

function Reply({ reply, isAlone, isChosen, onRate }: ReplyProps) {
  const { t } = useTranslation();
  const name = isAlone ? t("chat.model") : t("chat.candidate", { name: reply.model });
  return (
    <div className={classes.reply} data-chosen={isChosen}>
      <span className={classes.speaker}>
        {name}
        {isChosen && <strong> · {t("chat.best")}</strong>}
      </span>
      <p className={classes.text} dir="auto">
        {reply.text}
      </p>
      {onRate === undefined ? (
        reply.rating !== null && (
          <span className={classes.outcome}>{t("chat.rated", { rating: reply.rating })}</span>
        )
      ) : (
        <RatingRow name={name} value={reply.rating} onRate={onRate} />
      )}
    </div>
  );
}
