import { Stack } from '@mantine/core';
import type { Settings } from '../../../shared/contract/app.ts';
import { Section } from '../../ui/index.ts';
import { TextSetting } from './TextSetting.tsx';

/** Changes settings; rejects with AppError. */
export type ChangeSettings = (patch: Partial<Settings>) => Promise<void>;

/** Who acts, as the custody log and packages state it. */
export function InvestigatorSection({
  settings,
  onChange,
}: {
  settings: Settings;
  onChange: ChangeSettings;
}) {
  return (
    <Section
      title="Investigator"
      note="Stated in custody entries and sealed packages from now on; earlier ones stay as they are."
    >
      <Stack gap="sm">
        <TextSetting
          label="Name"
          description="Empty: the name of this computer's user account."
          value={settings.actorName}
          maxLength={200}
          onSave={(actorName) => onChange({ actorName })}
        />
        <TextSetting
          label="Organisation"
          value={settings.organization}
          maxLength={200}
          onSave={(organization) => onChange({ organization })}
        />
      </Stack>
    </Section>
  );
}
