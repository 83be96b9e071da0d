/** How a vehicle moves along a route: speeds from limits, brakes and stops; then questions by time. */
import type { Random } from '../random.ts';
import type { RouteVertex } from './city.ts';

export interface DriveNode {
  readonly tS: number;
  readonly x: number;
  readonly y: number;
  readonly speedMps: number;
  readonly headingDeg: number;
}

export interface Manoeuvre {
  readonly kind: 'harsh_braking' | 'harsh_acceleration' | 'sharp_turn' | 'overspeed';
  readonly tS: number;
}

export interface Drive {
  readonly nodes: readonly DriveNode[];
  readonly durationS: number;
  readonly distanceM: number;
  readonly manoeuvres: readonly Manoeuvre[];
}

const comfortableBrake = 2.1;
const comfortablePull = 1.7;

interface Plan {
  readonly limit: number[];
  readonly brake: number[];
  readonly pull: number[];
  readonly dwellS: number[];
  readonly marks: { index: number; kind: Manoeuvre['kind'] }[];
}

/** Decides where the vehicle stops, and where its driver does something a dashcam would notice. */
function planDrive(random: Random, vertices: readonly RouteVertex[]): Plan {
  const count = vertices.length;
  const plan: Plan = {
    limit: vertices.map((vertex) => vertex.limitMps),
    brake: new Array<number>(count).fill(comfortableBrake),
    pull: new Array<number>(count).fill(comfortablePull),
    dwellS: new Array<number>(count).fill(0),
    marks: [],
  };
  const fillAround = (values: number[], from: number, to: number, value: number): void => {
    for (let index = Math.max(0, from); index < Math.min(count, to); index += 1) values[index] = value;
  };
  vertices.forEach((vertex, index) => {
    if (!vertex.isCrossing || index < 10 || index > count - 30 || !random.chance(0.22)) return;
    plan.limit[index] = 0;
    plan.dwellS[index] = random.integer(6, 42);
    const roll = random.next();
    if (roll < 0.07) {
      fillAround(plan.brake, index - 12, index + 1, 6.2);
      plan.marks.push({ index: index - 1, kind: 'harsh_braking' });
    } else if (roll < 0.14) {
      fillAround(plan.pull, index, index + 8, 4.1);
      plan.marks.push({ index: index + 2, kind: 'harsh_acceleration' });
    }
  });
  vertices.forEach((vertex, index) => {
    if (vertex.limitMps === 5.5 && vertices[index - 1]?.limitMps !== 5.5 && random.chance(0.03)) {
      fillAround(plan.limit, index, index + 7, 8.4);
      plan.marks.push({ index: index + 3, kind: 'sharp_turn' });
    }
  });
  if (random.chance(0.25)) {
    const from = random.integer(20, Math.max(21, count - 120));
    let isUsed = false;
    for (let index = from; index < Math.min(count, from + 90); index += 1) {
      if ((plan.limit[index] ?? 0) < 9.5) continue;
      plan.limit[index] = 23;
      isUsed = true;
    }
    if (isUsed) plan.marks.push({ index: from + 45, kind: 'overspeed' });
  }
  return plan;
}

export function createDrive(random: Random, vertices: readonly RouteVertex[]): Drive {
  const plan = planDrive(random, vertices);
  const count = vertices.length;
  const stepM = (index: number): number => {
    const one = vertices[index];
    const other = vertices[index + 1];
    return one && other ? Math.max(0.01, Math.hypot(other.x - one.x, other.y - one.y)) : 0;
  };
  const speed = [...plan.limit];
  speed[0] = 0;
  speed[count - 1] = 0;
  for (let index = count - 2; index >= 0; index -= 1) {
    const reachable = Math.sqrt((speed[index + 1] ?? 0) ** 2 + 2 * (plan.brake[index] ?? 2) * stepM(index));
    speed[index] = Math.min(speed[index] ?? 0, reachable);
  }
  for (let index = 1; index < count; index += 1) {
    const reachable = Math.sqrt(
      (speed[index - 1] ?? 0) ** 2 + 2 * (plan.pull[index - 1] ?? 2) * stepM(index - 1),
    );
    speed[index] = Math.min(speed[index] ?? 0, reachable);
  }
  const nodes: DriveNode[] = [];
  const timeOfVertex: number[] = [];
  let tS = 0;
  let distanceM = 0;
  for (let index = 0; index < count; index += 1) {
    const vertex = vertices[index];
    if (!vertex) break;
    const ahead = vertices[index + 1] ?? vertex;
    const behind = vertices[index - 1] ?? vertex;
    const headingDeg = (Math.atan2(ahead.x - behind.x, ahead.y - behind.y) * 180) / Math.PI;
    const speedMps = speed[index] ?? 0;
    timeOfVertex.push(tS);
    const node = { x: vertex.x, y: vertex.y, speedMps, headingDeg: (headingDeg + 360) % 360 };
    nodes.push({ tS, ...node });
    const dwellS = plan.dwellS[index] ?? 0;
    if (dwellS > 0) nodes.push({ tS: (tS += dwellS), ...node });
    const lengthM = stepM(index);
    distanceM += lengthM;
    tS += lengthM / Math.max(0.4, (speedMps + (speed[index + 1] ?? 0)) / 2);
  }
  const manoeuvres = plan.marks
    .map((mark) => ({ kind: mark.kind, tS: timeOfVertex[mark.index] ?? 0 }))
    .filter((mark) => isNoticeable(mark.kind, nodeIndexAt(nodes, mark.tS), nodes))
    .sort((one, other) => one.tS - other.tS);
  return { nodes, durationS: nodes[nodes.length - 1]?.tS ?? 0, distanceM, manoeuvres };
}

/** A planned speeding may have been swallowed by a stop: only what the motion shows becomes an event. */
function isNoticeable(kind: Manoeuvre['kind'], index: number, nodes: readonly DriveNode[]): boolean {
  return kind !== 'overspeed' || (nodes[index]?.speedMps ?? 0) > 19;
}

function nodeIndexAt(nodes: readonly DriveNode[], tS: number): number {
  let low = 0;
  let high = nodes.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((nodes[middle]?.tS ?? 0) <= tS) low = middle;
    else high = middle - 1;
  }
  return low;
}

export interface Motion {
  readonly x: number;
  readonly y: number;
  readonly speedMps: number;
  readonly headingDeg: number;
  readonly forwardMps2: number;
  /** Positive to the right. */
  readonly sidewaysMps2: number;
}

/** The vehicle's motion `tS` seconds after the drive began. */
export function motionAt(drive: Drive, tS: number): Motion {
  const index = nodeIndexAt(drive.nodes, tS);
  const from = drive.nodes[index];
  const to = drive.nodes[index + 1];
  if (!from) throw new Error('a drive has nodes');
  if (!to || tS <= from.tS) {
    return { ...from, speedMps: to ? from.speedMps : 0, forwardMps2: 0, sidewaysMps2: 0 };
  }
  const spanS = Math.max(1e-6, to.tS - from.tS);
  const progress = Math.min(1, (tS - from.tS) / spanS);
  const turnDeg = ((to.headingDeg - from.headingDeg + 540) % 360) - 180;
  const speedMps = from.speedMps + (to.speedMps - from.speedMps) * progress;
  // Distance along a span of constant acceleration is quadratic in time, unlike speed.
  const travelled = from.speedMps * progress + ((to.speedMps - from.speedMps) * progress * progress) / 2;
  const whole = (from.speedMps + to.speedMps) / 2;
  const share = whole > 0.01 ? travelled / whole : progress;
  return {
    x: from.x + (to.x - from.x) * share,
    y: from.y + (to.y - from.y) * share,
    speedMps,
    headingDeg: (from.headingDeg + turnDeg * progress + 360) % 360,
    forwardMps2: (to.speedMps - from.speedMps) / spanS,
    sidewaysMps2: speedMps * ((turnDeg * Math.PI) / 180 / spanS),
  };
}

const brakeBeforeImpactS = 0.8;
const brakeBeforeImpactMps2 = 6.5;
const impactS = 0.16;
/** How long the camera keeps recording at the scene. */
const standAfterImpactS = 90;

/**
 * Ends a drive in a collision: at a straight, fast stretch past its middle the vehicle brakes too late and
 * goes from about 9 m/s to standstill within 0.16 s, more than 5 g. null when the drive has no such stretch.
 */
export function crash(drive: Drive): { drive: Drive; impactTS: number } | null {
  const isFastStraight = (node: DriveNode, index: number): boolean => {
    const before = drive.nodes[index - 6];
    return (
      node.speedMps > 13 &&
      before !== undefined &&
      before.speedMps > 12.5 &&
      Math.abs(before.headingDeg - node.headingDeg) < 0.5
    );
  };
  const middle = Math.floor(drive.nodes.length / 2);
  let at = drive.nodes.findIndex((node, index) => index > middle && isFastStraight(node, index));
  if (at < 0) at = drive.nodes.findIndex(isFastStraight);
  const last = drive.nodes[at];
  if (!last) return null;
  const radians = (last.headingDeg * Math.PI) / 180;
  const impactSpeed = last.speedMps - brakeBeforeImpactS * brakeBeforeImpactMps2;
  const after = (tS: number, metres: number, speedMps: number, turnDeg = 0): DriveNode => ({
    tS: last.tS + tS,
    x: last.x + Math.sin(radians) * metres,
    y: last.y + Math.cos(radians) * metres,
    speedMps,
    headingDeg: (last.headingDeg + turnDeg + 360) % 360,
  });
  const brakeM = ((last.speedMps + impactSpeed) / 2) * brakeBeforeImpactS;
  const stopM = brakeM + (impactSpeed / 2) * impactS;
  const stoppedS = brakeBeforeImpactS + impactS;
  const nodes = [
    ...drive.nodes.slice(0, at + 1),
    after(brakeBeforeImpactS, brakeM, impactSpeed),
    after(stoppedS, stopM, 0, 9),
    after(stoppedS + standAfterImpactS, stopM, 0, 9),
  ];
  const impactTS = last.tS + brakeBeforeImpactS;
  let travelledM = 0;
  nodes.forEach((node, index) => {
    const next = nodes[index + 1];
    if (next) travelledM += Math.hypot(next.x - node.x, next.y - node.y);
  });
  const durationS = last.tS + stoppedS + standAfterImpactS;
  const manoeuvres = drive.manoeuvres.filter((manoeuvre) => manoeuvre.tS < impactTS - 30);
  return { drive: { nodes, durationS, distanceM: travelledM, manoeuvres }, impactTS };
}
