import { zodResolver } from "@hookform/resolvers/zod";
import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";

import { FormAlert } from "../../components/ui/form-alert";
import { AnchorLink } from "../../components/ui/links";
import { showFieldProblems } from "../../lib/form-problems";
import { passwordField, SHORTEST_PASSWORD, usernameField } from "./account-fields";
import { useGoOn } from "./next-address";
import { useSignUp } from "./queries";
import classes from "./session-form.module.css";

const LONGEST_DISPLAY_NAME = 80;

interface SignUpFormProps {
  invitation?: string | undefined;
  next?: string | undefined;
}

/** A new account; goes on to `next` with it. */
export function SignUpForm({ invitation, next }: SignUpFormProps) {
  const { t } = useTranslation("session");
  const signUp = useSignUp();
  const goOn = useGoOn(next);
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(
      z.object({
        username: usernameField(t),
        display_name: z.string().trim().max(LONGEST_DISPLAY_NAME, t("displayName.tooLong")),
        password: passwordField(t),
      }),
    ),
    defaultValues: { username: "", display_name: "", password: "" },
  });
  const submit = handleSubmit((values) =>
    signUp.mutate(
      { ...values, invitation: invitation ?? null },
      {
        onSuccess: goOn,
        onError: (error) => {
          const isShown = showFieldProblems(error, setError, [
            "username",
            "display_name",
            "password",
          ]);
          if (isShown) signUp.reset();
        },
      },
    ),
  );
  return (
    <Stack className={classes.form} gap="sm">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <TextInput
            label={t("username.label")}
            description={t("username.help")}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            error={formState.errors.username?.message}
            {...register("username")}
          />
          <TextInput
            label={t("displayName.label")}
            description={t("displayName.help")}
            autoComplete="name"
            error={formState.errors.display_name?.message}
            {...register("display_name")}
          />
          <PasswordInput
            label={t("password.label")}
            description={t("password.help", { count: SHORTEST_PASSWORD })}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ "aria-label": t("password.show") }}
            error={formState.errors.password?.message}
            {...register("password")}
          />
          <FormAlert error={signUp.error} />
          <Button type="submit" loading={signUp.isPending}>
            {t("signUp.submit")}
          </Button>
        </Stack>
      </form>
      <Text size="sm">
        {t("signUp.haveAccount")}{" "}
        <AnchorLink to="/sign-in" search={next === undefined ? {} : { next }}>
          {t("signIn")}
        </AnchorLink>
      </Text>
    </Stack>
  );
}
