import "../lib/i18n/later/audit";

import { useTranslation } from "react-i18next";

import { AnchorLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { Trail } from "../features/audit/trail";
import { ForAdministrators } from "./for-administrators";

/** Who changed what, everywhere; for administrators. */
export function AuditPage() {
  const { t } = useTranslation("audit");
  const admin = useTranslation("admin");
  return (
    <>
      <PageHeader
        title={t("title")}
        subtitle={<AnchorLink to="/admin">{admin.t("title")}</AnchorLink>}
      />
      <ForAdministrators next="/admin/audit">{() => <Trail slug={null} />}</ForAdministrators>
    </>
  );
}
