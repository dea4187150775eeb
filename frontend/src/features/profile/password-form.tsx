import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Checkbox, PasswordInput, Stack, Text } from "@mantine/core";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";

import { FormAlert } from "../../components/ui/form-alert";
import { showFieldProblems } from "../../lib/form-problems";
import classes from "./profile.module.css";
import { useChangePassword } from "./queries";

const SHORTEST = 10;
const LONGEST = 200;
const FIELDS = ["current_password", "new_password"] as const;

/** A new password, proved by the old one. */
export function PasswordForm() {
  const { t } = useTranslation("profile");
  const change = useChangePassword();
  const { register, handleSubmit, formState, setError, reset } = useForm({
    resolver: zodResolver(
      z.object({
        current_password: z.string().min(1, t("password.currentMissing")),
        new_password: z
          .string()
          .min(SHORTEST, t("password.tooShort", { count: SHORTEST }))
          .max(LONGEST, t("password.tooLong", { count: LONGEST })),
        keep_tokens: z.boolean(),
      }),
    ),
    defaultValues: { current_password: "", new_password: "", keep_tokens: false },
  });
  const submit = handleSubmit((values) =>
    change.mutate(values, {
      onSuccess: () => reset(),
      onError: (error) => {
        if (showFieldProblems(error, setError, FIELDS)) change.reset();
      },
    }),
  );
  const saved = (kept?: boolean) => t(kept ? "password.savedTokensKept" : "password.saved");
  const toggle = { "aria-label": t("password.show") };
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <Stack gap="sm" align="flex-start">
        <PasswordInput
          w="100%"
          label={t("password.current")}
          autoComplete="current-password"
          visibilityToggleButtonProps={toggle}
          error={formState.errors.current_password?.message}
          {...register("current_password")}
        />
        <PasswordInput
          w="100%"
          label={t("password.new")}
          description={t("password.help", { count: SHORTEST })}
          autoComplete="new-password"
          visibilityToggleButtonProps={toggle}
          error={formState.errors.new_password?.message}
          {...register("new_password")}
        />
        <Checkbox
          label={t("password.keepTokens")}
          description={t("password.keepTokensHelp")}
          {...register("keep_tokens")}
        />
        <FormAlert error={change.error} />
        <Button type="submit" variant="default" loading={change.isPending}>
          {t("password.save")}
        </Button>
        <Text role="status" size="sm" c="var(--db-good)">
          {change.isSuccess ? saved(change.variables.keep_tokens) : ""}
        </Text>
      </Stack>
    </form>
  );
}
