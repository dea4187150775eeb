import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { ApiProblem } from "../../lib/api-client";
import { useIdempotencyKey } from "../../lib/idempotency";
import type { FieldValues } from "../../lib/task-config";
import { ConfigEditor } from "./config-editor";
import { useKeptText } from "./kept-text";
import { LeaveGuard } from "./leave-guard";
import { useCreateTask } from "./queries";
import template from "./template.yaml?raw";
import { useConfigCheck } from "./use-check";

const SLUG = /^[a-z0-9][a-z0-9-]{1,63}$/;

interface NewTaskProps {
  user: string;
  renderPreview: (config: FieldValues) => ReactNode;
}

/** A draft from a short name and a config that begins as a commented example. */
export function NewTask({ user, renderPreview }: NewTaskProps) {
  const { t } = useTranslation("config");
  const navigate = useNavigate();
  const kept = useKeptText(user, "", { text: template, version: null });
  const checking = useConfigCheck(null, kept.text);
  const [slug, setSlug] = useState("");
  const create = useCreateTask();
  const { keyFor } = useIdempotencyKey();
  const isSlug = SLUG.test(slug);
  const refused = create.error instanceof ApiProblem ? create.error.fields.slug : undefined;
  const submit = async () => {
    const body = { slug, config: kept.text };
    await create.mutateAsync({ ...body, key: keyFor(body) });
    kept.forget();
    await navigate({ to: "/tasks/$slug/owner/config", params: { slug }, ignoreBlocker: true });
  };
  return (
    <Stack gap="md">
      <LeaveGuard isUnsaved={kept.isUnsaved} onDiscard={kept.forget} />
      <TextInput
        label={t("new.slug")}
        description={t("new.slugHelp")}
        value={slug}
        onChange={(event) => setSlug(event.currentTarget.value)}
        error={slug !== "" && !isSlug ? t("new.slugWrong") : refused}
        maxLength={64}
        maw="24rem"
        spellCheck={false}
        autoComplete="off"
      />
      <ConfigEditor
        text={kept.text}
        onChange={kept.write}
        checking={checking}
        compared={kept.isUnsaved ? { text: template, name: t("new.template") } : null}
        renderPreview={renderPreview}
        actions={
          <div>
            <Group gap="xs">
              <Button
                disabled={!isSlug || !checking.isGood}
                loading={create.isPending}
                // The mutation holds a failure, and the line below shows it.
                onClick={() => void submit().catch(() => null)}
              >
                {t("new.create")}
              </Button>
              {kept.isUnsaved && (
                <Button variant="default" onClick={kept.forget}>
                  {t("new.startAnew")}
                </Button>
              )}
            </Group>
            <Text size="sm" c="dimmed" mt={4} role="status">
              {!isSlug ? t("new.slugFirst") : checking.problems.length > 0 && t("new.mendFirst")}
            </Text>
            {refused === undefined && <FormAlert error={create.error} />}
          </div>
        }
      />
    </Stack>
  );
}
