import { Notifications } from "@mantine/notifications";

/** The toasts that are up, the newest three. */
export function ToastList() {
  return <Notifications position="bottom-center" limit={3} />;
}
