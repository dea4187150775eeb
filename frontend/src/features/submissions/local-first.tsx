import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { CodeBlock } from "../../components/ui/code-block";

interface LocalFirstProps {
  slug: string;
}

/** How a builder finds out on their own machine what the server would say. */
export function LocalFirst({ slug }: LocalFirstProps) {
  const { t } = useTranslation("submissions");
  return (
    <Stack gap="sm">
      <Text>{t("local.help")}</Text>
      <CodeBlock label={t("local.init")} code={`dynabench model init my-model --task ${slug}`} />
      <CodeBlock label={t("local.test")} code={`dynabench model test my-model --task ${slug}`} />
      <CodeBlock
        label={t("local.submit")}
        code={`dynabench model submit my-model --task ${slug}`}
      />
    </Stack>
  );
}
