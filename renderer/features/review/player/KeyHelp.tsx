import { ActionIcon, Popover, Tooltip } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { playerKeys, type PlayerKey } from './reviewKeys.ts';
import { isForPlayer } from './useReviewKeys.ts';
import classes from './transport.module.css';

const groups: readonly PlayerKey['group'][] = ['Play', 'Go', 'Mark'];
/** charts/stage.ts hears these from anywhere but a picture. */
const inCharts: readonly (readonly [string, string])[] = [['+ − 0', 'Zoom in, out, whole scene']];
const inPane: readonly (readonly [string, string])[] = [
  ['Enter', 'Enlarge, or side by side again'],
  ['+ − 0', 'Zoom in, out, whole picture'],
];
const signs: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  PageUp: 'Page up',
  PageDown: 'Page down',
};
const written = (name: string) => name.replace(/[A-Z][a-z]+[A-Z][a-z]+/, (key) => signs[key] ?? key);

/** All keys of the player, by button or "?". */
export function KeyHelp() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.defaultPrevented || !isForPlayer(event)) return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Tooltip label="Keys (?)">
          <ActionIcon aria-label="Keys" onClick={() => setOpen(!isOpen)}>
            <IconKeyboard size={17} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.help} tabIndex={0} role="document" aria-label="Keys of the player">
          {groups.map((group) => (
            <div key={group}>
              <h3>{group}</h3>
              <dl>
                {playerKeys
                  .filter((key) => key.group === group)
                  .map(({ keys, words }) => (
                    <HelpRow key={words} keys={keys.map(written)} words={words} />
                  ))}
                {group === 'Mark' && <HelpRow keys={['Ctrl+Z']} words="Undo" />}
              </dl>
              {group === 'Mark' && (
                <>
                  <h3>Charts</h3>
                  <dl>
                    {inCharts.map(([keys, words]) => (
                      <HelpRow key={words} keys={keys.split(' ')} words={words} />
                    ))}
                  </dl>
                  <h3>In a picture</h3>
                  <dl>
                    {inPane.map(([keys, words]) => (
                      <HelpRow key={words} keys={keys.split(' ')} words={words} />
                    ))}
                  </dl>
                </>
              )}
            </div>
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

function HelpRow({ keys, words }: { keys: readonly string[]; words: string }) {
  return (
    <div className={classes.helpRow}>
      <dt>
        {keys.map((key) => (
          <kbd key={key} className={classes.key}>
            {key}
          </kbd>
        ))}
      </dt>
      <dd>{words}</dd>
    </div>
  );
}
