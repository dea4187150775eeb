import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import classes from "./code-block.module.css";

interface CodeBlockProps {
  code: string;
  /** What the code is, for those who do not see it in its place. */
  label: string;
}

/** Code with a button that copies it and says whether it did. */
export function CodeBlock({ code, label }: CodeBlockProps) {
  const { t } = useTranslation();
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 3000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code);
      setState("copied");
    } catch {
      setState("failed");
    }
  };
  const words = { idle: t("copy"), copied: t("copied"), failed: t("copyFailed") };
  return (
    <figure className={classes.block} aria-label={label}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls sideways. */}
      <pre className={classes.code} tabIndex={0}>
        <code>{code}</code>
      </pre>
      <Button size="compact-sm" variant="default" className={classes.copy} onClick={copy}>
        <span aria-live="polite">{words[state]}</span>
      </Button>
    </figure>
  );
}
