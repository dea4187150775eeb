import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { PageHeader } from "../components/ui/page-header";

/** An address that leads nowhere. */
export function NotFoundPage() {
  const { t } = useTranslation("app");
  return (
    <>
      <PageHeader title={t("notFound.title")} subtitle={t("notFound.body")} />
      <Button component={Link} to="/">
        {t("notFound.home")}
      </Button>
    </>
  );
}
