import { useNotifications } from "@mantine/notifications";
import { lazy, Suspense, useState } from "react";

const ToastList = lazy(async () => {
  const { ToastList: component } = await import("./toast-list");
  return { default: component };
});

/** Where toasts appear; fetched with the first one, so that no first page carries it. */
export function Toasts() {
  const { notifications } = useNotifications();
  const [isNeeded, setNeeded] = useState(false);
  if (notifications.length > 0 && !isNeeded) setNeeded(true);
  return (
    isNeeded && (
      <Suspense>
        <ToastList />
      </Suspense>
    )
  );
}
