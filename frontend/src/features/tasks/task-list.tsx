import { Anchor, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { Empty, Loading, QueryView } from "../../components/ui/states";
import { taskListQuery } from "./queries";

/** Every task that the reader may see. */
export function TaskList() {
  const { t } = useTranslation("tasks");
  const tasks = useQuery(taskListQuery());
  return (
    <QueryView
      query={tasks}
      loading={<Loading lines={6} />}
      isEmpty={(list) => list.length === 0}
      empty={<Empty title={t("list.empty")}>{t("list.emptyNext")}</Empty>}
    >
      {(list) => (
        <Stack gap="md">
          {list.map((task) => (
            <article key={task.slug}>
              <Title order={2} size="h4">
                <Anchor component={Link} to={`/tasks/${task.slug}`} inherit>
                  {task.title}
                </Anchor>
              </Title>
              <Text>{task.description}</Text>
            </article>
          ))}
        </Stack>
      )}
    </QueryView>
  );
}
