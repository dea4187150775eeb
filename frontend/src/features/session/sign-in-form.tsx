import { zodResolver } from "@hookform/resolvers/zod";
import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";

import { FormAlert } from "../../components/ui/form-alert";
import { AnchorLink } from "../../components/ui/links";
import { useGoOn } from "./next-address";
import { sessionQuery, useSignIn } from "./queries";
import classes from "./session-form.module.css";

/** Name and password; goes on to `next` afterwards. */
export function SignInForm({ next }: { next?: string | undefined }) {
  const { t } = useTranslation("session");
  const session = useQuery(sessionQuery());
  const signIn = useSignIn();
  const goOn = useGoOn(next);
  const { register, handleSubmit, formState, resetField, setFocus } = useForm({
    resolver: zodResolver(
      z.object({
        username: z.string().trim().min(1, t("username.missing")),
        password: z.string().min(1, t("password.missing")),
      }),
    ),
    defaultValues: { username: "", password: "" },
  });
  const submit = handleSubmit((values) =>
    signIn.mutate(values, {
      onSuccess: goOn,
      onError: () => {
        resetField("password");
        setFocus("password");
      },
    }),
  );
  return (
    <Stack className={classes.form} gap="sm">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <TextInput
            label={t("username.label")}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            error={formState.errors.username?.message}
            {...register("username")}
          />
          <PasswordInput
            label={t("password.label")}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ "aria-label": t("password.show") }}
            error={formState.errors.password?.message}
            {...register("password")}
          />
          <FormAlert error={signIn.error} />
          <Button type="submit" loading={signIn.isPending}>
            {t("signIn")}
          </Button>
        </Stack>
      </form>
      <Text size="sm">
        {session.data?.registration === "invited" ? (
          t("signUp.invitedOnly")
        ) : (
          <>
            {t("signUp.noAccount")}{" "}
            <AnchorLink to="/sign-up" search={next === undefined ? {} : { next }}>
              {t("signUp.makeOne")}
            </AnchorLink>
          </>
        )}
      </Text>
      <Text size="sm" c="dimmed">
        {t("password.forgotten")}
      </Text>
    </Stack>
  );
}
