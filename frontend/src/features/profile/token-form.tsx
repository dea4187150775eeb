import { zodResolver } from "@hookform/resolvers/zod";
import { Button, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";

import { FormAlert } from "../../components/ui/form-alert";
import { showFieldProblems } from "../../lib/form-problems";
import classes from "./profile.module.css";
import { useCreateToken } from "./queries";

const LONGEST_NAME = 80;
const DAYS = ["30", "90", "365", ""] as const;

interface TokenValues {
  name: string;
  scope: "read" | "write";
  days: (typeof DAYS)[number];
}

interface TokenFormProps {
  /** Told the secret, which is never shown again. */
  onCreated: (secret: string) => void;
}

/** A new token for a program: its name, what it may do, how long it lasts. */
export function TokenForm({ onCreated }: TokenFormProps) {
  const { t } = useTranslation("profile");
  const create = useCreateToken();
  const { register, handleSubmit, formState, setError, reset } = useForm<TokenValues>({
    resolver: zodResolver(
      z.object({
        name: z
          .string()
          .trim()
          .min(1, t("tokens.nameMissing"))
          .max(LONGEST_NAME, t("name.tooLong", { count: LONGEST_NAME })),
        scope: z.enum(["read", "write"]),
        days: z.enum(DAYS),
      }),
    ),
    defaultValues: { name: "", scope: "write", days: "90" },
  });
  const submit = handleSubmit(({ name, scope, days }) =>
    create.mutate(
      { name, scope, expires_in_days: days === "" ? null : Number(days) },
      {
        onSuccess: ({ secret }) => {
          onCreated(secret);
          reset();
        },
        onError: (error) => {
          if (showFieldProblems(error, setError, ["name", "scope"])) create.reset();
        },
      },
    ),
  );
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <Stack gap="sm" align="flex-start">
        <TextInput
          w="100%"
          label={t("tokens.name")}
          description={t("tokens.nameHelp")}
          error={formState.errors.name?.message}
          {...register("name")}
        />
        <NativeSelect
          w="100%"
          label={t("tokens.scope")}
          data={[
            { value: "write", label: t("tokens.scopes.write") },
            { value: "read", label: t("tokens.scopes.read") },
          ]}
          {...register("scope")}
        />
        <NativeSelect
          w="100%"
          label={t("tokens.lasts")}
          data={DAYS.map((days) => ({
            value: days,
            label: days === "" ? t("tokens.untilRevoked") : t("tokens.days", { count: +days }),
          }))}
          {...register("days")}
        />
        <FormAlert error={create.error} />
        <Button type="submit" variant="default" loading={create.isPending}>
          {t("tokens.create")}
        </Button>
      </Stack>
    </form>
  );
}
