import { Stack } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { Section } from "../components/ui/section";
import { ContextList } from "../features/contexts/context-list";
import { UploadForm } from "../features/contexts/upload-form";
import { readConfig } from "../lib/task-config";
import { OwnerFrame } from "./owner-frame";

/** What annotators write about: upload, look over, retire. */
export function OwnerContextsPage() {
  const { slug } = useParams({ from: "/tasks/$slug/owner/contexts" });
  const { t } = useTranslation("contexts");
  return (
    <OwnerFrame slug={slug} section="contexts">
      {(task) => (
        <Stack gap="xl">
          <Section title={t("upload.title")}>
            <UploadForm slug={slug} fields={readConfig(task.config).context} />
          </Section>
          <Section title={t("list.title")}>
            <ContextList slug={slug} fields={readConfig(task.config).context} />
          </Section>
        </Stack>
      )}
    </OwnerFrame>
  );
}
