import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { useProblemText } from "../../components/ui/problem-text";
import { ApiProblem } from "../../lib/api-client";
import classes from "./send-problem.module.css";
import { SignInLink } from "./sign-in-link";

interface SendProblemProps {
  error: unknown;
  /** Said after what happened, such as that nothing was lost. */
  reassurance: string;
}

const RESEMBLES = new Set(["examples.duplicate", "examples.near_duplicate"]);

/** Why an attempt was not taken, that nothing was lost, and the text that it resembles. */
export function SendProblem({ error, reassurance }: SendProblemProps) {
  const { t } = useTranslation("compose");
  const { sentence, lang, requestId } = useProblemText(error);
  const resembled = resemblance(error);
  const isSignedOut = error instanceof ApiProblem && error.status === 401;
  const said = {
    resembles: t("problem.resembles"),
    signedOut: t("problem.signedOut"),
    other: sentence,
  }[resembled !== null ? "resembles" : isSignedOut ? "signedOut" : "other"];
  return (
    <Stack gap={8} className={classes.problem} role="alert">
      <Text>
        <span lang={said === sentence ? lang : undefined}>{said}</span> {reassurance}
      </Text>
      {resembled !== null && <blockquote className={classes.quote}>{resembled}</blockquote>}
      {isSignedOut && <SignInLink>{t("signIn.again")}</SignInLink>}
      {requestId !== null && resembled === null && (
        <Text size="sm" c="dimmed">
          {t("problem.request", { id: requestId })}
        </Text>
      )}
    </Stack>
  );
}

function resemblance(error: unknown): string | null {
  if (!(error instanceof ApiProblem) || !RESEMBLES.has(error.code)) return null;
  return typeof error.facts.text === "string" ? error.facts.text : null;
}
