import { Anchor, Modal, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import type { MediaValue } from "../../../lib/field-values";
import classes from "./image-view.module.css";
import { useMediaPort } from "./media-port";

interface ImageViewProps {
  value: MediaValue;
  /** The field's name, where nobody has described the picture. */
  title: string;
}

/** A small picture that opens in full. */
export function ImageView({ value, title }: ImageViewProps) {
  const { t } = useTranslation();
  const { pictureUrl, thumbnailUrl } = useMediaPort();
  const [isOpen, { open, close }] = useDisclosure();
  const [broken, setBroken] = useState<string | null>(null);
  const alt = value.alt ?? "";
  const described = alt === "" ? title : alt;
  if (broken === value.media) {
    return (
      <Text size="sm" role="alert">
        {t("media.notShown", { what: described })}
      </Text>
    );
  }
  return (
    <>
      <UnstyledButton
        className={classes.thumbnail}
        onClick={open}
        aria-label={t("media.enlarge", { what: described })}
      >
        <img
          src={thumbnailUrl(value.media)}
          alt=""
          decoding="async"
          onError={() => setBroken(value.media)}
        />
      </UnstyledButton>
      <Modal
        opened={isOpen}
        onClose={close}
        title={described}
        size="auto"
        closeButtonProps={{ "aria-label": t("close") }}
      >
        <img className={classes.full} src={pictureUrl(value.media)} alt={described} />
        <Anchor href={pictureUrl(value.media)} target="_blank" rel="noreferrer" size="sm">
          {t("media.inOwnTab")}
        </Anchor>
      </Modal>
    </>
  );
}
