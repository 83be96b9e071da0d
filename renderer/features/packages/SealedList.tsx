import { Button, Group } from '@mantine/core';
import { IconDownload, IconFolderSearch, IconShieldCheck } from '@tabler/icons-react';
import type { SealedPackage } from '../../../shared/contract/packages.ts';
import type { PackageId } from '../../../shared/ids.ts';
import {
  Facts,
  Failure,
  formatBytes,
  formatCounted,
  HashText,
  notifyFailure,
  saveFrom,
  Section,
  Status,
  Time,
  type Loadable,
} from '../../ui/index.ts';
import classes from './packages.module.css';

/** Packages of the case, newest first, with what a receiver needs to compare. */
export function SealedList({
  sealed,
  canReveal,
  mediaUrl,
  onReveal,
  onRetry,
  onVerify,
}: {
  sealed: Loadable<readonly SealedPackage[]>;
  canReveal: boolean;
  mediaUrl: (mediaPath: string) => string;
  onReveal: (packageId: PackageId) => Promise<unknown>;
  onRetry: () => void;
  onVerify: (sealed: SealedPackage) => void;
}) {
  if (sealed.status === 'loading') return null;
  if (sealed.status === 'failed') return <Failure error={sealed.error} isInline onRetry={onRetry} />;
  if (sealed.value.length === 0) return null;
  const newestFirst = [...sealed.value].sort((a, b) => b.sealedAtMs - a.sealedAtMs);
  return (
    <Section title={newestFirst.length === 1 ? 'Sealed package' : 'Sealed packages'} isFlush>
      {newestFirst.map((one) => (
        <article key={one.packageId} className={classes.sealed} aria-label={one.fileName}>
          <div className={classes.sealedHead}>
            <span className={classes.sealedName}>{one.fileName}</span>
            {one.isPresent ? (
              <Status tone="ok">Sealed</Status>
            ) : (
              <Status tone="warn">The file is no longer in the data folder</Status>
            )}
            <Group gap="xs" className={classes.sealedActions ?? ''}>
              <Button
                leftSection={<IconDownload size={14} />}
                disabled={!one.isPresent}
                onClick={() => saveFrom(mediaUrl(`media/package/${one.packageId}`))}
              >
                Save a copy
              </Button>
              {canReveal && (
                <Button
                  variant="default"
                  leftSection={<IconFolderSearch size={14} />}
                  disabled={!one.isPresent}
                  onClick={() =>
                    onReveal(one.packageId).catch((thrown: unknown) =>
                      notifyFailure('The folder was not opened', thrown),
                    )
                  }
                >
                  Show in folder
                </Button>
              )}
              <Button
                variant="default"
                leftSection={<IconShieldCheck size={14} />}
                disabled={!one.isPresent}
                onClick={() => onVerify(one)}
              >
                Verify
              </Button>
            </Group>
          </div>
          <Facts
            rows={[
              [
                'Sealed',
                <span key="at">
                  <Time utcMs={one.sealedAtMs} /> · {formatCounted(one.files, 'file')},{' '}
                  {formatBytes(one.sizeBytes)}
                </span>,
              ],
              [
                'Range',
                one.range.fromMs === null && one.range.toMs === null ? (
                  'No limit'
                ) : (
                  <span key="range">
                    {one.range.fromMs === null ? 'first point' : <Time utcMs={one.range.fromMs} />} to{' '}
                    {one.range.toMs === null ? 'last point' : <Time utcMs={one.range.toMs} />}
                  </span>
                ),
              ],
              ['SHA-256 of the file', <HashText key="hash" hash={one.sha256} form="groups" />],
              [
                'Fingerprint of the seal',
                <HashText key="by" hash={one.signedBy} what="fingerprint" form="groups" />,
              ],
            ]}
          />
        </article>
      ))}
    </Section>
  );
}
