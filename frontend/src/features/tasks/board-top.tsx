import { Anchor } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import type { Schemas } from "../../lib/api-client";
import { annotatorsQuery } from "./queries";

const MOST_SHOWN = 3;
const SEPARATOR = ", ";

/** The annotators with the most confirmed examples of a round; asked for once it is in sight. */
export function BoardTop({ round }: { round: Schemas["RoundRead"] }) {
  const { t } = useTranslation("tasks");
  const { ref, inViewport } = useInViewport<HTMLSpanElement>();
  const board = useQuery({ ...annotatorsQuery(round.id), enabled: inViewport });
  const top = board.data?.rows.filter((row) => row.verified_fooled > 0).slice(0, MOST_SHOWN);
  return (
    <span ref={ref}>
      {top?.map(({ username, verified_fooled: count }, place) => (
        <span key={username}>
          {place > 0 && SEPARATOR}
          <Anchor component={Link} to={`/users/${username}`} inherit>
            {username}
          </Anchor>{" "}
          {count}
        </span>
      )) ?? (board.isError ? t("card.topFailed") : t("card.topLoading"))}
    </span>
  );
}
