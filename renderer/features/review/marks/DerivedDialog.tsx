import { Button, Group, Modal, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { Derived } from '../../../../shared/contract/derived.ts';
import { Facts, formatBytes, HashText } from '../../../ui/index.ts';
import type { Review } from '../model.ts';
import { derivedUrl, downloadDerived } from './files.ts';
import classes from './marks.module.css';
import { formatMoment, formatUncertainty, type MomentZone } from './momentText.ts';

/** A still or a trim, large, or how it came to be. */
export function DerivedDialog({
  review,
  zone,
  shown,
  onClose,
}: {
  review: Review;
  zone: MomentZone;
  shown: { readonly derived: Derived; readonly what: 'file' | 'details' } | null;
  onClose: () => void;
}) {
  return (
    <Modal
      opened={shown !== null}
      onClose={onClose}
      title={shown?.derived.fileName ?? ''}
      closeButtonProps={{ 'aria-label': 'Close this file' }}
      size={shown?.what === 'file' ? 'min(1600px, 94vw)' : 'lg'}
    >
      {shown && (
        <Stack gap="sm">
          {shown.what === 'file' ? (
            <File review={review} derived={shown.derived} />
          ) : (
            <Details derived={shown.derived} zone={zone} />
          )}
          <Group justify="flex-end" gap="xs">
            <Button
              variant="default"
              leftSection={<IconDownload size={14} />}
              onClick={() => downloadDerived(review, shown.derived)}
            >
              Download
            </Button>
            <Button onClick={onClose} data-autofocus>
              Close
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function File({ review, derived }: { review: Review; derived: Derived }) {
  const address = derivedUrl(review, derived);
  if (derived.kind === 'trim') {
    // Muted pictures of a dashcam need no captions; there is no text track to give.
    return <video className={classes.large} src={address} controls aria-label={`Trim ${derived.fileName}`} />;
  }
  return <img className={classes.large} src={address} alt={`Still ${derived.fileName}`} />;
}

function Details({ derived, zone }: { derived: Derived; zone: MomentZone }) {
  const { recipe } = derived;
  const seconds = ({ from, to }: { from: number; to: number }) =>
    derived.kind === 'trim' ? `${from.toFixed(3)} to ${to.toFixed(3)} s` : `${from.toFixed(3)} s`;
  // What the core computed is UTC; where the scene has no clock, UTC says so best.
  const timeZone: MomentZone = zone.kind === 'elapsed' ? { kind: 'zone', zone: 'UTC' } : zone;
  const time = (utcMs: number | null) => (utcMs === null ? 'unknown' : formatMoment(utcMs, timeZone));
  const rows: (readonly [string, React.ReactNode])[] = [
    ['From', recipe.source.fileName],
    ['Its SHA-256', <HashText key="source" hash={recipe.source.sha256} />],
    ['Asked', `${seconds(recipe.requestedS)} of the clip`],
    [derived.kind === 'trim' ? 'Cut' : 'Frame shown', `${seconds(recipe.actualS)} of the clip`],
    ...(recipe.frameIndex === null ? [] : [['Frame', `${recipe.frameIndex} (the first is 0)`] as const]),
    ['Time', time(recipe.startUtcMs)],
    ...(derived.kind === 'trim' ? [['To', time(recipe.endUtcMs)] as const] : []),
    ['Uncertainty', formatUncertainty(recipe.uncertaintyMs)],
    ['Clock', recipe.clockHow ?? 'unknown'],
    ['Size', formatBytes(recipe.output.sizeBytes)],
    ...(recipe.output.widthPx === null || recipe.output.heightPx === null
      ? []
      : [['Picture', `${recipe.output.widthPx} × ${recipe.output.heightPx} px`] as const]),
    ['SHA-256', <HashText key="own" hash={recipe.output.sha256} />],
    ...(recipe.stamp === null ? [] : [['Burned in', recipe.stamp] as const]),
    ['Lacks', recipe.lost.length === 0 ? 'Nothing that is known of' : recipe.lost.join(' ')],
    ['Made with', `${recipe.tool.name} ${recipe.tool.version}`],
    ['By', `${derived.actor}, ${formatMoment(derived.madeAtMs, timeZone)}`],
  ];
  return <Facts rows={rows} />;
}
