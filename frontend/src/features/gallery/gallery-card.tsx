import { Anchor, Button, Stack, Text, TextInput, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { ButtonLink } from "../../components/ui/links";
import { useIdempotencyKey } from "../../lib/idempotency";
import classes from "./gallery.module.css";
import { type GalleryEntry, useAddTask } from "./queries";

interface GalleryCardProps {
  entry: GalleryEntry;
  renderJob: (jobId: string, title: string) => ReactNode;
}

/** One task of the gallery: what it is, what it is called here, and what became of it. */
export function GalleryCard({ entry, renderJob }: GalleryCardProps) {
  const { t } = useTranslation("gallery");
  const { name, title, description, material, principal_metric: metric, tasks } = entry;
  const [started, setStarted] = useState<{ jobId: string; slug: string } | null>(null);
  // What is there already is rarely wanted twice.
  const [isAsked, setAsked] = useState(tasks.length === 0);
  const isThere = started !== null && tasks.includes(started.slug);
  const facts = {
    material: t(`material.${material}`),
    metric,
    contexts: t("contexts", { count: entry.contexts }),
  };
  return (
    <article className={classes.card} aria-label={title}>
      <div>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {t("facts", facts)}
        </Text>
      </div>
      <Text>{description}</Text>
      {entry.has_content_warning && <Text size="sm">{t("warning")}</Text>}
      {tasks.length > 0 && <Added slugs={tasks} />}
      <Stack gap="xs" className={classes.deed}>
        {started !== null && renderJob(started.jobId, t("adding", { title }))}
        {started === null && isAsked && (
          <AddForm
            name={name}
            title={title}
            isTaken={tasks.includes(name)}
            onStart={(jobId, slug) => setStarted({ jobId, slug })}
          />
        )}
        {started === null && !isAsked && (
          <div>
            <Button
              variant="default"
              aria-label={t("againTitle", { title })}
              onClick={() => setAsked(true)}
            >
              {t("again")}
            </Button>
          </div>
        )}
        {isThere && (
          <ButtonLink to="/tasks/$slug" params={{ slug: started.slug }} variant="light">
            {t("open")}
          </ButtonLink>
        )}
      </Stack>
    </article>
  );
}

function Added({ slugs }: { slugs: readonly string[] }) {
  const { t } = useTranslation("gallery");
  return (
    <Text size="sm">
      {t("addedAs")}{" "}
      {slugs.map((slug, place) => (
        <span key={slug}>
          {place > 0 && ", "}
          <Anchor component={Link} to={`/tasks/${slug}`} inherit>
            {slug}
          </Anchor>
        </span>
      ))}
    </Text>
  );
}

interface AddFormProps {
  name: string;
  title: string;
  /** Whether a task goes by the gallery's own name already. */
  isTaken: boolean;
  onStart: (jobId: string, slug: string) => void;
}

function AddForm({ name, title, isTaken, onStart }: AddFormProps) {
  const { t } = useTranslation("gallery");
  const [slug, setSlug] = useState(isTaken ? "" : name);
  const add = useAddTask(name);
  const { keyFor, renew } = useIdempotencyKey();
  const body = { slug: slug.trim() };
  const start = async () => {
    const job = await add.mutateAsync({ body, key: keyFor(body) });
    renew();
    onStart(job.id, body.slug);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // The mutation keeps what went wrong, and the line below says it.
        start().catch(() => undefined);
      }}
    >
      <Stack gap="xs">
        <TextInput
          label={t("slug")}
          description={t("slugHelp")}
          required
          autoComplete="off"
          spellCheck={false}
          value={slug}
          onChange={(event) => setSlug(event.currentTarget.value)}
        />
        <FormAlert error={add.error} />
        <div>
          <Button type="submit" loading={add.isPending} aria-label={t("add", { title })}>
            {t("addShort")}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
