import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import type { JumpTo } from "./code-editor";
import classes from "./config-editor.module.css";
import type { Problem } from "./queries";

interface ProblemListProps {
  problems: readonly Problem[];
  onJump: JumpTo;
}

/** Everything that is wrong, each with its line; choosing one goes there. */
export function ProblemList({ problems, onJump }: ProblemListProps) {
  const { t } = useTranslation("config");
  return (
    <ul className={classes.problems} aria-label={t("problems.label")}>
      {problems.map((problem) => (
        <li key={[problem.line, problem.column, problem.path, problem.message].join(" ")}>
          <button
            type="button"
            className={classes.problem}
            onClick={() => onJump(problem.line ?? 1, problem.column ?? null)}
          >
            <Text span size="sm" fw={600}>
              {t("problems.line", { line: problem.line ?? 1 })}
            </Text>{" "}
            {problem.path !== "" && <code className={classes.path}>{problem.path}</code>}{" "}
            <Text span size="sm">
              {[problem.message, problem.suggestion].filter(Boolean).join(" ")}
            </Text>
          </button>
        </li>
      ))}
    </ul>
  );
}
