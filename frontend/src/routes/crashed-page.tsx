import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { PageHeader } from "../components/ui/page-header";

/** What is left when a page throws: a way on, and the word that drafts are safe. */
export function CrashedPage() {
  const { t } = useTranslation("app");
  return (
    <>
      <PageHeader title={t("crashed.title")} subtitle={t("crashed.body")} />
      <Button onClick={() => globalThis.location.reload()}>{t("crashed.reload")}</Button>
    </>
  );
}
