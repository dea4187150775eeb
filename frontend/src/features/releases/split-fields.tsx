import { Checkbox, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import type { FieldErrors, UseFormRegister } from "react-hook-form";
import { useTranslation } from "react-i18next";

import type { ReleaseRequest } from "./queries";

export type ReleaseValues = Required<ReleaseRequest>;

/** The least and the most of what fooled that goes to dev or to test, in per cent. */
const LEAST = 1;
const MOST = 80;
const MOST_TOGETHER = 90;
const USUAL = 10;

/** A part in per cent as the server takes it; null for the usual one. */
function shareOf(percent: number | null): number | null {
  return percent === null ? null : percent / 100;
}

/** What was filled in as the server takes it. */
export function bodyOf(values: ReleaseValues): ReleaseValues {
  const { dev_share: dev, test_share: test } = values;
  return { ...values, dev_share: shareOf(dev), test_share: shareOf(test) };
}

/** A release as most are made. */
export const USUAL_RELEASE: ReleaseValues = {
  seed: 0,
  licence: "CC-BY-4.0",
  open_verdicts: "wait",
  allow_incomplete: false,
  dev_share: null,
  test_share: null,
  share_of_others: 0.5,
  apart_from_earlier: true,
};

/** Parts that a plan can be asked for; the usual ones while what is typed cannot be. */
export function plannedShares(dev: number | null, test: number | null) {
  const isFit = (part: number | null) => part === null || (part >= LEAST && part <= MOST);
  const together = (dev ?? USUAL) + (test ?? USUAL);
  return isFit(dev) && isFit(test) && together <= MOST_TOGETHER
    ? { dev_share: shareOf(dev), test_share: shareOf(test) }
    : { dev_share: null, test_share: null };
}

/** An empty field is the usual part. */
function partOf(typed: unknown): number | null {
  return typed === null || typed === "" ? null : Number(typed);
}

interface SplitFieldsProps {
  register: UseFormRegister<ReleaseValues>;
  errors: FieldErrors<ReleaseValues>;
}

/** How large dev and test are, what stands there beside what fooled, and what is kept apart. */
export function SplitFields({ register, errors }: SplitFieldsProps) {
  const { t } = useTranslation("releases");
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {(["dev_share", "test_share"] as const).map((name) => (
          <TextInput
            key={name}
            type="number"
            inputMode="numeric"
            min={LEAST}
            max={MOST}
            label={t(name)}
            description={t("shareHelp")}
            error={errors[name]?.message}
            {...register(name, { setValueAs: partOf })}
          />
        ))}
      </SimpleGrid>
      <NativeSelect
        label={t("others")}
        description={t("othersHelp")}
        data={[
          { value: "0.5", label: t("othersHalf") },
          { value: "0.2", label: t("othersFifth") },
          { value: "0", label: t("othersNone") },
        ]}
        {...register("share_of_others", { valueAsNumber: true })}
      />
      <Checkbox label={t("apart")} {...register("apart_from_earlier")} />
    </>
  );
}
