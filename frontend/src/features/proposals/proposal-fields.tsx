import { Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";

const SLUG = /^[a-z0-9][a-z0-9-]{1,63}$/;
const LONGEST = 4000;

export interface Words {
  slug: string;
  reason: string;
  /** What has changed, in a revision. */
  answer: string;
}

/** Whether the words are such that they can be sent. */
export function areWordsGood({ slug, reason }: Words): boolean {
  return SLUG.test(slug) && reason.trim() !== "";
}

interface ProposalFieldsProps {
  words: Words;
  onChange: (words: Words) => void;
  /** The server's sentences, by field. */
  refused: Readonly<Record<string, string>>;
  isRevision: boolean;
}

/** Everything about a proposal but its config. */
export function ProposalFields({ words, onChange, refused, isRevision }: ProposalFieldsProps) {
  const { t } = useTranslation("proposals");
  const isWrong = words.slug !== "" && !SLUG.test(words.slug);
  return (
    <>
      <TextInput
        label={t("form.slug")}
        description={t("form.slugHelp")}
        required
        value={words.slug}
        onChange={(event) => onChange({ ...words, slug: event.currentTarget.value })}
        error={isWrong ? t("form.slugWrong") : refused.slug}
        maxLength={64}
        maw="24rem"
        spellCheck={false}
        autoComplete="off"
      />
      <Textarea
        label={t("form.reason")}
        description={t("form.reasonHelp")}
        required
        autosize
        minRows={2}
        maxLength={LONGEST}
        maw="48rem"
        value={words.reason}
        onChange={(event) => onChange({ ...words, reason: event.currentTarget.value })}
        error={refused.reason}
      />
      {isRevision && (
        <Textarea
          label={t("form.answer")}
          description={t("form.answerHelp")}
          autosize
          minRows={2}
          maxLength={LONGEST}
          maw="48rem"
          value={words.answer}
          onChange={(event) => onChange({ ...words, answer: event.currentTarget.value })}
          error={refused.answer}
        />
      )}
    </>
  );
}
