import { Button, Group, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { AppInfo, HostAbilitiesInfo } from '../../../shared/contract/app.ts';
import { CopyButton, Facts, formatBytes, HashText, Notice, saveText, Section } from '../../ui/index.ts';
import classes from './settings.module.css';

/** What protects the seal's private key, without making it sound safer than it is. */
const secretStores: Record<HostAbilitiesInfo['secretStore'], { text: string; isWeak: boolean }> = {
  keychain: {
    text: "The private key is encrypted by this computer's keychain: other users of the computer can't read it, programs running under your account might.",
    isWeak: false,
  },
  'encrypted-file': {
    text: 'The private key is in an encrypted file; its key lies in another file of your user account. Whoever can read both can seal in your name.',
    isWeak: false,
  },
  weak: {
    text: 'This system has no keychain: the private key is stored under a fixed password. Whoever can read your files can seal in your name.',
    isWeak: true,
  },
  none: {
    text: 'This system offers no place for secrets: packages can’t be sealed here.',
    isWeak: true,
  },
};

/** The seal: whom packages of this machine name, and how its key is kept. */
export function SealSection({ info }: { info: AppInfo }) {
  const { sealFingerprint: fingerprint, sealPublicKeyPem: pem } = info;
  const store = secretStores[info.abilities.secretStore];
  return (
    <Section
      title="Seal"
      note="Ed25519. Give the fingerprint to whoever receives your packages, by another way than the package."
    >
      <Stack gap="sm">
        {fingerprint === null ? (
          <div className={classes.hint}>No seal yet: the key is made when the first package is sealed.</div>
        ) : (
          <Facts
            rows={[
              ['Fingerprint', <HashText key="print" hash={fingerprint} what="fingerprint" form="groups" />],
              [
                'Public key',
                pem === null ? (
                  'not available'
                ) : (
                  <Group key="pem" gap="xs">
                    <Button
                      variant="default"
                      size="compact-xs"
                      leftSection={<IconDownload size={13} />}
                      onClick={() => saveText('evidence-desk-seal.pem', pem, 'application/x-pem-file')}
                    >
                      Save as PEM
                    </Button>
                    <CopyButton text={pem} what="public key" />
                  </Group>
                ),
              ],
            ]}
          />
        )}
        <Notice tone={store.isWeak ? 'warn' : 'info'}>{store.text}</Notice>
      </Stack>
    </Section>
  );
}

/** Where everything lies and how much room it takes. */
export function CacheSection({ info }: { info: AppInfo }) {
  return (
    <Section title="Evidence cache">
      <Facts
        rows={[
          [
            'Data folder',
            <span key="folder">
              <code className={classes.path}>{info.dataFolder}</code>{' '}
              <CopyButton text={info.dataFolder} what="path of the data folder" />
            </span>,
          ],
          ['Size', formatBytes(info.cacheSizeBytes)],
        ]}
      />
    </Section>
  );
}

const hostNames: Record<HostAbilitiesInfo['host'], string> = {
  electron: 'Desktop window',
  browser: 'Browser, on this computer only',
  cli: 'Command line',
  test: 'Test',
};

/** Versions, for reports and for tools.json of a package to be compared with. */
export function AboutSection({ info }: { info: AppInfo }) {
  const versions = Object.entries(info.versions);
  const text = [
    `Evidence Desk ${info.version}`,
    ...versions.map(([name, version]) => `${name} ${version}`),
  ].join('\n');
  return (
    <Section title="Versions" actions={<CopyButton text={text} what="versions" />}>
      <Facts
        rows={[
          ['Evidence Desk', info.version],
          ['Runs as', hostNames[info.abilities.host]],
          ...versions.map(([name, version]) => [name, version] as const),
        ]}
      />
    </Section>
  );
}
