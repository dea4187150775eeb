import { Button, Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { showFieldProblems } from "../../lib/form-problems";
import { CARD_FIELDS, type Card, NEEDED, NO_CARD, ONE_LINE } from "./card-fields";
import { type Model, useChangeModel } from "./queries";

interface CardValues {
  description: string;
  card: Card;
}

const FIELDS = ["description", ...CARD_FIELDS.map((name) => `card.${name}` as const)] as const;

interface ModelCardFormProps {
  model: Model;
  onClose: () => void;
}

/** Write a model's card; what is typed stays while the page is refreshed. */
export function ModelCardForm({ model, onClose }: ModelCardFormProps) {
  const { t } = useTranslation("models");
  const change = useChangeModel(model.id);
  const [alert, setAlert] = useState<unknown>(null);
  const form = useForm<CardValues>({
    defaultValues: { description: model.description, card: { ...NO_CARD, ...model.card } },
  });
  const save = form.handleSubmit(async (values) => {
    setAlert(null);
    try {
      await change.mutateAsync(values);
      onClose();
    } catch (error) {
      if (!showFieldProblems(error, form.setError, FIELDS)) setAlert(error);
    }
  });
  const { errors } = form.formState;
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm" maw={640}>
        <Text c="dimmed">{t("card.help")}</Text>
        <Textarea
          label={t("form.description")}
          autosize
          minRows={2}
          error={errors.description?.message}
          {...form.register("description")}
        />
        {CARD_FIELDS.map((name) => {
          const props = {
            label: t(`card.${name}`),
            description: t(`card.${name}Help`),
            withAsterisk: NEEDED.includes(name),
            error: errors.card?.[name]?.message,
            ...form.register(`card.${name}`),
          };
          return ONE_LINE.has(name) ? (
            <TextInput key={name} {...props} />
          ) : (
            <Textarea key={name} autosize minRows={2} {...props} />
          );
        })}
        <FormAlert error={alert} />
        <Group gap="xs">
          <Button type="submit" loading={change.isPending}>
            {t("card.save")}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t("card.cancel")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
