import { useLocation } from "@tanstack/react-router";

import { AnchorLink, ButtonLink } from "../../components/ui/links";

interface SignInLinkProps {
  children: string;
  isButton?: boolean;
}

/** The way to sign in that leads back to where it was taken. */
export function SignInLink({ children, isButton = false }: SignInLinkProps) {
  const here = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  if (isButton) {
    return (
      <ButtonLink to="/sign-in" search={{ next: here }}>
        {children}
      </ButtonLink>
    );
  }
  return (
    <AnchorLink to="/sign-in" search={{ next: here }}>
      {children}
    </AnchorLink>
  );
}
