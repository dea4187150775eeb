import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";

import { Loading, QueryView } from "../components/ui/states";
import { ConfigDesk } from "../features/config-editor/config-desk";
import { configVersionsQuery } from "../features/config-editor/queries";
import { sessionQuery } from "../features/session/queries";
import type { Schemas } from "../lib/api-client";
import { ConfigPreview } from "./config-preview";
import { OwnerFrame } from "./owner-frame";

/** The task's config: written, checked, looked at, compared, kept and used. */
export function OwnerConfigPage() {
  const { slug } = useParams({ from: "/tasks/$slug/owner/config" });
  return (
    <OwnerFrame slug={slug} section="config">
      {(task) => <Versions key={task.slug} task={task} />}
    </OwnerFrame>
  );
}

function Versions({ task }: { task: Schemas["TaskRead"] }) {
  const session = useQuery(sessionQuery());
  const versions = useQuery(configVersionsQuery(task.slug));
  return (
    <QueryView query={versions} loading={<Loading lines={12} />}>
      {(list) => {
        const active = list.find(({ is_active }) => is_active);
        const user = session.data?.user;
        if (active === undefined || user == null) return <Loading lines={12} />;
        return (
          <ConfigDesk
            task={task}
            user={user.username}
            versions={list}
            active={active}
            renderPreview={(config) => <ConfigPreview config={config} />}
          />
        );
      }}
    </QueryView>
  );
}
