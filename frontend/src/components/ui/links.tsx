import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  type ElementProps,
} from "@mantine/core";
import { createLink } from "@tanstack/react-router";

type AnchorLinkProps = AnchorProps & ElementProps<"a", keyof AnchorProps>;
type ButtonLinkProps = ButtonProps & ElementProps<"a", keyof ButtonProps>;

/** A link in running text to a page of ours; its `search` and `params` are checked. */
export const AnchorLink = createLink((props: AnchorLinkProps) => <Anchor {...props} />);

/** A link to a page of ours that looks like a button. */
export const ButtonLink = createLink((props: ButtonLinkProps) => (
  <Button component="a" {...props} />
));
