import { zodResolver } from "@hookform/resolvers/zod";
import { Button, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";

import { FormAlert } from "../../components/ui/form-alert";
import { ButtonLink } from "../../components/ui/links";
import { Empty } from "../../components/ui/states";
import { showFieldProblems } from "../../lib/form-problems";
import { passwordField, SHORTEST_PASSWORD } from "./account-fields";
import { useResetPassword } from "./queries";
import classes from "./session-form.module.css";

/** A new password, with the secret of a link that an administrator made. */
export function PasswordResetForm({ secret }: { secret: string }) {
  const { t } = useTranslation("session");
  const reset = useResetPassword(secret);
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(z.object({ new_password: passwordField(t) })),
    defaultValues: { new_password: "" },
  });
  if (reset.isSuccess) {
    return (
      <div role="status">
        <Empty
          title={t("reset.done")}
          action={<ButtonLink to="/sign-in">{t("signIn")}</ButtonLink>}
        >
          {t("reset.doneNext")}
        </Empty>
      </div>
    );
  }
  const submit = handleSubmit((values) =>
    reset.mutate(values.new_password, {
      onError: (error) => {
        if (showFieldProblems(error, setError, ["new_password"])) reset.reset();
      },
    }),
  );
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <Stack gap="sm">
        <PasswordInput
          label={t("reset.newPassword")}
          description={t("password.help", { count: SHORTEST_PASSWORD })}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ "aria-label": t("password.show") }}
          error={formState.errors.new_password?.message}
          {...register("new_password")}
        />
        <FormAlert error={reset.error} />
        <Button type="submit" loading={reset.isPending}>
          {t("reset.submit")}
        </Button>
      </Stack>
    </form>
  );
}
