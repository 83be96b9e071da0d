import type { UsageReport } from '../../../shared/contract/cloud.ts';
import type { Device } from '../../../shared/cloudResources.ts';
import { Facts, formatCount, Section, Status } from '../../ui/index.ts';
import classes from './account.module.css';

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Camera seats of the subscription, and which cameras are beyond them (8.4). */
export function SeatSection({
  cameras,
  devices,
}: {
  cameras: UsageReport['cameras'];
  /** For the names of cameras; empty where they are not known. */
  devices: readonly Device[];
}) {
  if (cameras === null) {
    return (
      <Section title="Camera seats">
        <div className={classes.muted}>The service did not state them.</div>
      </Section>
    );
  }
  const limit = numberOf(cameras.limit);
  const registered = numberOf(cameras.registered);
  const overLimit = numberOf(cameras.overLimit) ?? 0;
  const psns = Array.isArray(cameras.overLimitPsns) ? cameras.overLimitPsns.map(String) : [];
  const nameOf = (psn: string) => devices.find((device) => device.psn === psn)?.name ?? null;
  return (
    <Section title="Camera seats">
      <div className={classes.column} style={{ gap: 8 }}>
        <Facts
          rows={[
            ['Seats', limit === null ? 'not known: nothing is locked meanwhile' : formatCount(limit)],
            ['Registered', registered === null ? 'not stated' : formatCount(registered)],
            [
              'Over the limit',
              overLimit > 0 ? (
                <Status key="over" tone="warn">
                  {formatCount(overLimit)} locked for video
                </Status>
              ) : (
                <Status key="over" tone="ok">
                  None
                </Status>
              ),
            ],
          ]}
        />
        {psns.length > 0 && (
          <ul style={{ margin: 0, paddingInlineStart: 18 }} aria-label="Cameras over the limit">
            {psns.map((psn) => (
              <li key={psn}>
                {nameOf(psn)} <span className={classes.mono}>{psn}</span>
              </li>
            ))}
          </ul>
        )}
        {overLimit > 0 && (
          <div className={classes.muted}>
            The longest-registered cameras are the ones beyond the seats. Their clips and SD cards are locked
            until seats are added (it takes up to 5 minutes); trips, events and GPS exports of them work.
          </div>
        )}
      </div>
    </Section>
  );
}
