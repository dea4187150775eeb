import { Button } from "@mantine/core";
import { lazy, type ReactNode, Suspense, useState } from "react";

/** A page to go to, or something to do; of several that exclude each other one is chosen. */
export type MenuEntry = { name: string; lang?: string } & (
  { to: string } | { onChoose: () => void; isChosen?: boolean }
);

export interface MenuButtonProps {
  /** What the button is called, for those who do not see what stands on it. */
  label: string;
  variant: "default" | "subtle";
  entries: readonly MenuEntry[];
  children: ReactNode;
}

const OpeningMenu = lazy(async () => {
  const { OpeningMenu: component } = await import("./opening-menu");
  return { default: component };
});

/** A button with a menu, which is fetched once it is asked for: no first page needs one. */
export function MenuButton(props: MenuButtonProps) {
  const [isAsked, setAsked] = useState(false);
  const button = (
    <Button
      variant={props.variant}
      aria-label={props.label}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setAsked(true)}
      px={props.variant === "subtle" ? 8 : 18}
    >
      {props.children}
    </Button>
  );
  if (!isAsked) return button;
  return (
    <Suspense fallback={button}>
      <OpeningMenu {...props} />
    </Suspense>
  );
}
