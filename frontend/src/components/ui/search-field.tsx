import { TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";

const PAUSE_MILLISECONDS = 250;

interface SearchFieldProps {
  label: string;
  search: string;
  onSearch: (search: string) => void;
  maw?: NonNullable<TextInputProps["maw"]>;
  flex?: NonNullable<TextInputProps["flex"]>;
}

/** A text to search for, told once its writer pauses; give it a `key` where others clear it. */
export function SearchField({ label, search, onSearch, ...size }: SearchFieldProps) {
  const [text, setText] = useState(search);
  const searchSoon = useDebouncedCallback(onSearch, PAUSE_MILLISECONDS);
  return (
    <TextInput
      type="search"
      label={label}
      maxLength={200}
      {...size}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        searchSoon(value.trim());
      }}
    />
  );
}
