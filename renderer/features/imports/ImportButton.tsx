import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconBriefcase, IconChevronDown, IconFileImport, IconFolder } from '@tabler/icons-react';
import classes from './imports.module.css';

/** Import from anywhere: files at once, a folder, or with more choices. */
export function ImportButton({
  onFiles,
  onFolder,
  onIntoCase,
}: {
  onFiles: () => void;
  onFolder: () => void;
  onIntoCase: () => void;
}) {
  return (
    <div className={classes.importButton}>
      <Button
        leftSection={<IconFileImport size={15} />}
        onClick={onFiles}
        aria-keyshortcuts="Control+O"
        title="Import files (Ctrl+O)"
      >
        Import…
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="filled" color="accent" size={30} aria-label="More ways to import">
            <IconChevronDown size={15} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconFileImport size={15} />} rightSection="Ctrl+O" onClick={onFiles}>
            Files…
          </Menu.Item>
          <Menu.Item leftSection={<IconFolder size={15} />} onClick={onFolder}>
            A folder…
          </Menu.Item>
          <Menu.Item leftSection={<IconBriefcase size={15} />} onClick={onIntoCase}>
            Files into a case…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
