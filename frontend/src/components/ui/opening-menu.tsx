import { Button, Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";

import type { MenuButtonProps, MenuEntry } from "./menu-button";

/** The menu of a `MenuButton`: it opens as soon as it is there, with the focus on its button. */
export function OpeningMenu({ label, variant, entries, children }: MenuButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    button.current?.focus();
    const opening = requestAnimationFrame(() => setOpen(true));
    return () => cancelAnimationFrame(opening);
  }, []);
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <Button
          ref={button}
          variant={variant}
          aria-label={label}
          px={variant === "subtle" ? 8 : 18}
        >
          {children}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {entries.map((entry) => (
          <Entry key={entry.name} entry={entry} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Entry({ entry }: { entry: MenuEntry }) {
  const { name, lang } = entry;
  if ("to" in entry) {
    return (
      <Menu.Item component={Link} to={entry.to} lang={lang}>
        {name}
      </Menu.Item>
    );
  }
  const { onChoose, isChosen } = entry;
  if (isChosen === undefined) {
    return (
      <Menu.Item lang={lang} onClick={onChoose}>
        {name}
      </Menu.Item>
    );
  }
  return (
    <Menu.RadioItem
      value={name}
      lang={lang}
      checked={isChosen}
      onChange={onChoose}
      closeMenuOnClick
    >
      {name}
    </Menu.RadioItem>
  );
}
