import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";

import { FormAlert } from "../../components/ui/form-alert";
import { showFieldProblems } from "../../lib/form-problems";
import classes from "./profile.module.css";
import { useChangeDisplayName } from "./queries";

const LONGEST = 80;

/** The name that others see. */
export function DisplayNameForm({ displayName }: { displayName: string }) {
  const { t } = useTranslation("profile");
  const change = useChangeDisplayName();
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(
      z.object({
        display_name: z
          .string()
          .trim()
          .max(LONGEST, t("name.tooLong", { count: LONGEST })),
      }),
    ),
    defaultValues: { display_name: displayName },
  });
  const submit = handleSubmit((values) =>
    change.mutate(values.display_name, {
      onError: (error) => {
        if (showFieldProblems(error, setError, ["display_name"])) change.reset();
      },
    }),
  );
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <Stack gap="sm" align="flex-start">
        <TextInput
          w="100%"
          label={t("name.label")}
          description={t("name.help")}
          autoComplete="name"
          error={formState.errors.display_name?.message}
          {...register("display_name")}
        />
        <FormAlert error={change.error} />
        <Button type="submit" variant="default" loading={change.isPending}>
          {t("name.save")}
        </Button>
        <Text role="status" size="sm" c="var(--db-good)">
          {change.isSuccess ? t("name.saved") : ""}
        </Text>
      </Stack>
    </form>
  );
}
