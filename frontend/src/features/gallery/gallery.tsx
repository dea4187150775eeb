import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { Empty, Loading, QueryView } from "../../components/ui/states";
import { GalleryCard } from "./gallery-card";
import classes from "./gallery.module.css";
import { galleryQuery } from "./queries";

interface GalleryProps {
  /** How far a job is. */
  renderJob: (jobId: string, title: string) => ReactNode;
}

/** Every task that comes with the package, each with the way to add it. */
export function Gallery({ renderJob }: GalleryProps) {
  const { t } = useTranslation("gallery");
  const gallery = useQuery(galleryQuery());
  return (
    <QueryView
      query={gallery}
      loading={<Loading lines={8} />}
      isEmpty={(list) => list.length === 0}
      empty={<Empty title={t("empty")} />}
    >
      {(list) => (
        <ul className={classes.cards}>
          {list.map((entry) => (
            <li key={entry.name}>
              <GalleryCard entry={entry} renderJob={renderJob} />
            </li>
          ))}
        </ul>
      )}
    </QueryView>
  );
}
