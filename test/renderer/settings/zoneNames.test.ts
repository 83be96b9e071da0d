import { expect, it } from 'vitest';
import { zoneListName } from '../../../renderer/features/settings/zoneNames.ts';

it('lists a zone by the name of today too', () => {
  expect(zoneListName('Asia/Calcutta')).toBe('Asia/Kolkata (Asia/Calcutta)');
  expect(zoneListName('Europe/Amsterdam')).toBe('Europe/Amsterdam');
  // What stands in brackets is what is stored: every zone listed must be one that times can be shown in.
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const [today = ''] = zoneListName(zone).split(' ');
    expect(() => new Intl.DateTimeFormat('en', { timeZone: today })).not.toThrow();
  }
});
