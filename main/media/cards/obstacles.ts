import type { CloudCode, CloudProblemData } from '../../../shared/cloudProblem.ts';
import type { Device } from '../../../shared/cloudResources.ts';
import type { CameraObstacle } from '../../../shared/contract/cards.ts';

type Reason = CameraObstacle['reason'];

const texts: Readonly<Record<Reason, { isPassing: boolean; what: string; todo: string }>> = {
  wifi_only: {
    isPassing: false,
    what: 'This camera has Wi-Fi only: its card can’t be reached through the cloud.',
    todo: 'Take the card out and import its files by hand.',
  },
  over_seat_limit: {
    isPassing: false,
    what: 'This camera is beyond the number of cameras that the plan covers.',
    todo: 'Raise the camera count of the plan; it is unlocked within five minutes.',
  },
  unsupported_model: {
    isPassing: false,
    what: 'This model has no command channel for its card.',
    todo: 'Take the card out and import its files by hand.',
  },
  no_card: {
    isPassing: false,
    what: 'There is no SD card in this camera.',
    todo: 'Have a card put in, then refresh.',
  },
  offline: {
    isPassing: true,
    what: 'This camera is offline.',
    todo: 'It can be asked again when the vehicle is in coverage; a recall can wait for it.',
  },
  busy: {
    isPassing: true,
    what: 'This camera is in the middle of a transfer.',
    todo: 'Wait until it is done; several minutes are normal for full resolution.',
  },
  no_answer: {
    isPassing: true,
    what: 'This camera did not answer in time.',
    todo: 'Try again in a moment.',
  },
};

const reasonOfCode: Partial<Record<CloudCode, Reason>> = {
  cloud_only: 'wifi_only',
  camera_limit_exceeded: 'over_seat_limit',
  unsupported_device: 'unsupported_model',
  sd_card_absent: 'no_card',
  device_offline: 'offline',
  device_busy: 'busy',
  command_timeout: 'no_answer',
};

/** What an earlier call to a camera taught. */
export interface LearntProblem {
  readonly problem: CloudProblemData;
  readonly atMs: number;
}

/** Whether a problem says something about the camera that is worth remembering. */
export function teaches(problem: CloudProblemData): boolean {
  return reasonOfCode[problem.code] !== undefined;
}

function toObstacle(
  reason: Reason,
  source: CameraObstacle['source'],
  learntAtMs: number | null,
): CameraObstacle {
  return { reason, ...texts[reason], source, learntAtMs };
}

/** How long a passing obstacle that was met is believed. */
const passingForMs = 10 * 60_000;

/** What stands in the way of browsing a camera's card, from the device list and from what was learnt. */
export function obstacleOf(
  device: Device | null,
  learnt: LearntProblem | null,
  nowMs: number,
): CameraObstacle | null {
  if (device?.category === 'wifi') return toObstacle('wifi_only', 'list', null);
  if (device?.entitlement === 'over_limit') return toObstacle('over_seat_limit', 'list', null);
  const reason = learnt === null ? undefined : reasonOfCode[learnt.problem.code];
  if (learnt !== null && reason !== undefined) {
    // The list says otherwise by now: seats and categories change there first.
    const isOutdated = reason === 'over_seat_limit' && device?.entitlement === 'covered';
    const isFresh = !texts[reason].isPassing || nowMs - learnt.atMs < passingForMs;
    if (isFresh && !isOutdated) return toObstacle(reason, 'learnt', learnt.atMs);
  }
  if (device?.status === 'offline') return toObstacle('offline', 'list', null);
  return null;
}
