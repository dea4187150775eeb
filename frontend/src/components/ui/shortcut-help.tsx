import { Modal, Stack, Switch, Table, Text } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";

import { describeKeys, useActiveShortcuts, useSingleKeys } from "../../lib/shortcuts";

interface ShortcutHelpProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The keys of the page as it is now, and the switch for those without a modifier. */
export function ShortcutHelp({ isOpen, onClose }: ShortcutHelpProps) {
  const { t } = useTranslation();
  const helpId = useId();
  const shortcuts = useActiveShortcuts();
  const [singleKeys, setSingleKeys] = useSingleKeys();
  const keysOf = new Map<string, string[]>();
  for (const { keys, label } of shortcuts) {
    keysOf.set(label, [...new Set([...(keysOf.get(label) ?? []), describeKeys(keys)])]);
  }
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t("shortcuts.title")}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      <Stack gap="sm">
        {keysOf.size === 0 ? (
          <Text>{t("shortcuts.none")}</Text>
        ) : (
          <Table>
            <Table.Tbody>
              {[...keysOf].map(([label, keys]) => (
                <Table.Tr key={label}>
                  <Table.Th scope="row">{label}</Table.Th>
                  <Table.Td ta="end">
                    {keys.map((key) => (
                      <kbd key={key}>{key} </kbd>
                    ))}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        <Switch
          label={t("shortcuts.singleKeys")}
          aria-describedby={helpId}
          checked={singleKeys}
          onChange={(event) => setSingleKeys(event.currentTarget.checked)}
        />
        <Text id={helpId} size="sm" c="dimmed">
          {t("shortcuts.singleKeysHelp")}
        </Text>
      </Stack>
    </Modal>
  );
}
