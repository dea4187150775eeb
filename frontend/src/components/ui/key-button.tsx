import { Button, type ButtonProps } from "@mantine/core";
import type { MouseEventHandler } from "react";

import { ariaKeys, useShortcut } from "../../lib/shortcuts";
import { Kbd } from "./kbd";

interface KeyButtonProps extends ButtonProps {
  /** Such as "n" or "mod+enter". */
  keys: string;
  children: string;
  onClick?: MouseEventHandler<HTMLButtonElement> | undefined;
  /** What the key does; the click's own by default. */
  onKey: () => void;
  type?: "button" | "submit";
}

/** A button with a key; the key stands on it and in the list of keys. */
export function KeyButton({ keys, children, onClick, onKey, type, ...rest }: KeyButtonProps) {
  const isOff = rest.disabled === true || rest.loading === true;
  useShortcut(keys, children, onKey, !isOff);
  return (
    <Button
      {...rest}
      type={type ?? "button"}
      onClick={onClick ?? (type === "submit" ? undefined : onKey)}
      rightSection={<Kbd keys={keys} />}
      aria-keyshortcuts={ariaKeys(keys)}
    >
      {children}
    </Button>
  );
}
