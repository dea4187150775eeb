import { NativeSelect, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import classes from "./datasets.module.css";
import { PageTurner } from "./page-turner";
import { SHOWN_AT_ONCE, variantsQuery } from "./queries";
import { type Piece, wordDiff } from "./word-diff";

interface VariantsPreviewProps {
  versionId: string;
  transforms: readonly string[];
  /** The transform whose variants are shown; null shows none. */
  shown: string | null;
  onShow: (transform: string | null) => void;
}

/** What a transform made of items, each beside its original with the changed words marked. */
export function VariantsPreview({ versionId, transforms, shown, onShow }: VariantsPreviewProps) {
  const { t } = useTranslation("datasets");
  return (
    <Stack gap="xs" mt="xs">
      <NativeSelect
        label={t("variants.choose")}
        data={[
          { value: "", label: t("variants.nothing") },
          ...transforms.map((name) => ({ value: name, label: name })),
        ]}
        value={shown ?? ""}
        onChange={(event) => onShow(event.currentTarget.value || null)}
        maw={320}
      />
      {shown !== null && <Variants key={shown} versionId={versionId} transform={shown} />}
    </Stack>
  );
}

function Variants({ versionId, transform }: { versionId: string; transform: string }) {
  const { t } = useTranslation("datasets");
  const [after, setAfter] = useState(0);
  const variants = useQuery(variantsQuery(versionId, transform, after));
  return (
    <QueryView query={variants}>
      {(found) => (
        <>
          <ul className={classes.list} aria-label={t("variants.label", { transform })}>
            {found.slice(0, SHOWN_AT_ONCE).map((variant) => (
              <li key={variant.uid} className={classes.row}>
                {variant.texts.map((text) => (
                  <SideBySide key={text.field} text={text} />
                ))}
              </li>
            ))}
          </ul>
          <PageTurner after={after} first={0} found={found.length} onTurn={setAfter} />
        </>
      )}
    </QueryView>
  );
}

function SideBySide({ text }: { text: Schemas["VariedTextRead"] }) {
  const { t } = useTranslation("datasets");
  const [original, variant] = wordDiff(text.original, text.variant);
  return (
    <Stack gap={4} mb={8}>
      <Text size="sm" c="dimmed">
        {text.field}
      </Text>
      <Pieces title={t("variants.original")} pieces={original} />
      <Pieces title={t("variants.variant")} pieces={variant} />
    </Stack>
  );
}

function Pieces({ title, pieces }: { title: string; pieces: readonly Piece[] }) {
  return (
    <Text className={classes.text} dir="auto" maw="none">
      <VisuallyHidden>{title}: </VisuallyHidden>
      {pieces.map(({ text, isChanged }, index) =>
        isChanged ? (
          // Pieces have no name of their own and never move.
          <mark key={index} className={classes.changed}>
            {text}
          </mark>
        ) : (
          text
        ),
      )}
    </Text>
  );
}
