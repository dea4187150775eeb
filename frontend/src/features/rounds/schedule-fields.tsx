import { Fieldset, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import type { UseFormRegisterReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";

import { zoneName } from "../../lib/local-moment";

interface Moment {
  field: UseFormRegisterReturn;
  error: string | undefined;
}

interface ScheduleFieldsProps {
  /** Absent where the round takes examples already. */
  opens: Moment | null;
  closes: Moment;
}

/** Between which times a round takes examples, in the reader's zone. */
export function ScheduleFields({ opens, closes }: ScheduleFieldsProps) {
  const { t } = useTranslation("rounds");
  return (
    <Fieldset legend={t("times.title")}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t("times.help", { zone: zoneName() })}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {opens !== null && (
            <TextInput
              type="datetime-local"
              label={t("times.opens")}
              error={opens.error}
              {...opens.field}
            />
          )}
          <TextInput
            type="datetime-local"
            label={t("times.closes")}
            error={closes.error}
            {...closes.field}
          />
        </SimpleGrid>
      </Stack>
    </Fieldset>
  );
}
