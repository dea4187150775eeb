import { Fieldset, NativeSelect, SimpleGrid, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { type Form, NumberField, type Option } from "./round-form-fields";

interface ControlFieldsProps {
  form: Form;
  models: readonly Option[];
  /** Whether an annotator of the task can do without a model's answer. */
  canHideModels?: boolean;
}

/** Shares of the contexts that chance keeps apart, to compare the targets with. */
export function ControlFields({ form, models, canHideModels = true }: ControlFieldsProps) {
  const { t } = useTranslation("rounds");
  const { error } = form.getFieldState("controls.model_id", form.formState);
  return (
    <Fieldset legend={t("controls.title")}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {canHideModels ? t("controls.help") : t("controls.helpChat")}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
          {canHideModels && (
            <NumberField
              form={form}
              name="controls.no_model_share"
              label={t("controls.noModel")}
              min={0}
            />
          )}
          <NumberField
            form={form}
            name="controls.earlier_share"
            label={t("controls.earlier")}
            min={0}
          />
          <NativeSelect
            label={t("controls.model")}
            data={[{ value: "", label: t("controls.nobody") }, ...models]}
            error={error?.message}
            {...form.register("controls.model_id")}
          />
        </SimpleGrid>
      </Stack>
    </Fieldset>
  );
}
