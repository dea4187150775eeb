import "../lib/i18n/later/audit";

import { useParams } from "@tanstack/react-router";

import { Trail } from "../features/audit/trail";
import { OwnerFrame } from "./owner-frame";

/** Who changed what in a task. */
export function OwnerAuditPage() {
  const { slug } = useParams({ from: "/tasks/$slug/owner/audit" });
  return (
    <OwnerFrame slug={slug} section="audit">
      {() => <Trail slug={slug} />}
    </OwnerFrame>
  );
}
