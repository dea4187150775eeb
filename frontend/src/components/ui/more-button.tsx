import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";

interface PagedList {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

interface MoreButtonProps {
  list: PagedList;
  mt?: NonNullable<ButtonProps["mt"]>;
  children: ReactNode;
}

/** Fetches a list's next page; nothing where there is none. */
export function MoreButton({ list, children, ...margin }: MoreButtonProps) {
  if (!list.hasNextPage) return null;
  return (
    <div>
      <Button
        {...margin}
        variant="default"
        loading={list.isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        {children}
      </Button>
    </div>
  );
}
