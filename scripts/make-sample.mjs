// Makes assets/sample-export.zip, the export behind "Try the sample export": three vans over two days around
// Utrecht, in the form of the service's own per-device CSV archives (specification 4.3, rules 6 and 7).
// Deterministic: the same bytes on every run. The vehicles, drives and the incident are invented.
//
// What there is to find: on 14 March 2026 Van 12 brakes from 61 km/h to a stand in about two seconds on its
// way back at the Biltstraat corner (16:32:09 UTC); Van 07 passed the same corner minutes before. Van 03 loses
// reception under way (a gap), starts one drive without a fix (0/0 rows) and reports no speed for a stretch.
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import yazl from 'yazl';
import { root } from './runtime.mjs';

let seed = 20260314;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};
const metresPerDegree = 111_320;
const rad = Math.PI / 180;
const corner = [52.0967, 5.1368];

/** Streets between the depot and a district: waypoints with small bends, then rounded. */
const routes = {
  east: [
    [52.0702, 5.0905],
    [52.0741, 5.0982],
    [52.0779, 5.1043],
    [52.0826, 5.1109],
    [52.0868, 5.1182],
    [52.0911, 5.1263],
    corner,
    [52.1003, 5.1489],
    [52.1029, 5.1624],
    [52.1008, 5.1767],
    [52.0962, 5.1841],
  ],
  north: [
    [52.0702, 5.0905],
    [52.0757, 5.0861],
    [52.0833, 5.0844],
    [52.0909, 5.0882],
    [52.0983, 5.0931],
    [52.1061, 5.0968],
    [52.1118, 5.1049],
    [52.1147, 5.1173],
    [52.1096, 5.1281],
    [52.1031, 5.1332],
    corner,
  ],
  south: [
    [52.0702, 5.0905],
    [52.0645, 5.0966],
    [52.0581, 5.1028],
    [52.0524, 5.1116],
    [52.0463, 5.1192],
    [52.0391, 5.1237],
    [52.0331, 5.1318],
    [52.0287, 5.1431],
    [52.0312, 5.1552],
  ],
};

const toXY = ([lat, lng]) => [lng * metresPerDegree * Math.cos(52.08 * rad), lat * metresPerDegree];
const toLatLng = ([x, y]) => [y / metresPerDegree, x / (metresPerDegree * Math.cos(52.08 * rad))];

/** Catmull-Rom through the waypoints, as a dense line with distances. */
function road(points) {
  const p = points.map(toXY);
  const line = [];
  for (let i = 0; i < p.length - 1; i++) {
    const [a, b, c, d] = [p[Math.max(0, i - 1)], p[i], p[i + 1], p[Math.min(p.length - 1, i + 2)]];
    for (let k = 0; k < 60; k++) {
      const t = k / 60;
      line.push(
        [0, 1].map(
          (n) =>
            0.5 *
            (2 * b[n] +
              (c[n] - a[n]) * t +
              (2 * a[n] - 5 * b[n] + 4 * c[n] - d[n]) * t * t +
              (3 * b[n] - a[n] - 3 * c[n] + d[n]) * t ** 3),
        ),
      );
    }
  }
  line.push(p.at(-1));
  const along = [0];
  for (let i = 1; i < line.length; i++)
    along.push(along[i - 1] + Math.hypot(line[i][0] - line[i - 1][0], line[i][1] - line[i - 1][1]));
  return { line, along, length: along.at(-1) };
}

function at({ line, along }, distance) {
  let i = along.findIndex((d) => d > distance);
  if (i < 1) i = along.length - 1;
  const t = Math.min(1, Math.max(0, (distance - along[i - 1]) / (along[i] - along[i - 1])));
  const [ax, ay] = line[i - 1];
  const [bx, by] = line[i];
  return {
    position: toLatLng([ax + (bx - ax) * t, ay + (by - ay) * t]),
    heading: (Math.atan2(bx - ax, by - ay) / rad + 360) % 360,
  };
}

const drives = [];
/** One second at a time along a road, with traffic lights, a limit that changes, and what the options ask for. */
function drive(
  van,
  driveNo,
  startUtc,
  route,
  { isBack = false, hardStopAtCorner = false, gapAtS, noFixS = 0, noSpeedFromS } = {},
) {
  const way = road(isBack ? [...routes[route]].reverse() : routes[route]);
  const lights = Array.from({ length: 5 }, (_, i) => way.length * (0.12 + 0.18 * i + 0.06 * random()));
  const cornerXY = toXY(corner);
  const cornerAt =
    way.along[
      way.line.reduce(
        (best, p, i) =>
          Math.hypot(p[0] - cornerXY[0], p[1] - cornerXY[1]) <
          Math.hypot(way.line[best][0] - cornerXY[0], way.line[best][1] - cornerXY[1])
            ? i
            : best,
        0,
      )
    ];
  const start = Date.parse(startUtc);
  let distance = 0;
  let speed = 0;
  let limit = 50;
  let waitS = 4;
  let didStop = false;
  const rows = [];
  for (let s = 0; s < 3600 && distance < way.length; s++) {
    if (random() < 0.012) limit = [30, 50, 50, 60, 70][Math.floor(random() * 5)];
    let target = waitS > 0 ? 0 : limit;
    const next = lights[0];
    if (next !== undefined && next - distance < 60 && waitS === 0)
      target = Math.min(target, Math.max(0, (next - distance) * 0.9));
    if (next !== undefined && next - distance < 6 && speed < 9) {
      lights.shift();
      waitS = 8 + Math.floor(random() * 25);
    }
    if (hardStopAtCorner && !didStop && cornerAt - distance < 260) {
      target = Math.max(61, target);
      lights.splice(0, lights.filter((l) => l < cornerAt + 80).length);
      waitS = 0;
    }
    let change = Math.max(-7, Math.min(5, target - speed));
    if (hardStopAtCorner && !didStop && cornerAt - distance < 22) {
      change = -31;
      if (speed + change <= 0) {
        didStop = true;
        waitS = 95;
      }
    } else if (waitS > 0) waitS--;
    speed = Math.max(0, speed + change + (target > 5 ? (random() - 0.5) * 1.2 : 0));
    if (waitS > 0 && speed < 2) speed = 0;
    distance += speed / 3.6;
    const { position, heading } = at(way, distance);
    const isLost = gapAtS !== undefined && s >= gapAtS && s < gapAtS + 140;
    if (isLost) continue;
    const hasFix = s >= noFixS;
    const noise = () => (random() - 0.5) * 0.00002;
    const speedText =
      !hasFix || (noSpeedFromS !== undefined && s >= noSpeedFromS && s < noSpeedFromS + 90)
        ? ''
        : speed.toFixed(1);
    rows.push(
      [
        van.psn,
        van.name,
        new Date(start + s * 1000).toISOString().replace('.000Z', 'Z'),
        hasFix ? (position[0] + noise()).toFixed(6) : '0.000000',
        hasFix ? (position[1] + noise()).toFixed(6) : '0.000000',
        driveNo,
        hasFix ? String(Math.round(heading) % 360) : '',
        speedText,
      ].join(','),
    );
  }
  drives.push({ van, rows });
  return rows;
}

const van12 = { psn: 'ED4F70120012', name: 'Van 12' };
const van07 = { psn: 'ED4F70070007', name: 'Van 07' };
const van03 = { psn: 'ED4F70030003', name: 'Van 03 - Nieuwegein' };
drive(van12, 411, '2026-03-13T06:58:00Z', 'east');
drive(van12, 412, '2026-03-13T15:41:00Z', 'east', { isBack: true });
drive(van12, 413, '2026-03-14T07:02:00Z', 'north');
// Started such that the hard braking falls on 16:32:09 UTC (see the check below).
const incident = drive(van12, 414, '2026-03-14T16:26:53Z', 'east', { isBack: true, hardStopAtCorner: true });
drive(van07, 206, '2026-03-13T08:12:00Z', 'north');
drive(van07, 207, '2026-03-14T16:14:00Z', 'north');
drive(van07, 208, '2026-03-14T17:05:00Z', 'north', { isBack: true });
drive(van03, 88, '2026-03-13T07:20:00Z', 'south', { noFixS: 7 });
drive(van03, 89, '2026-03-14T12:30:00Z', 'south', { gapAtS: 240, noSpeedFromS: 520 });
drive(van03, 90, '2026-03-14T14:10:00Z', 'south', { isBack: true });

const speeds = incident.map((row) => row.split(',')).map((cells) => [cells[2], Number(cells[7])]);
const hardest = speeds
  .slice(2)
  .reduce((best, [time, v], i) => (speeds[i][1] - v > best.drop ? { time, drop: speeds[i][1] - v } : best), {
    drop: 0,
  });
console.log(
  `hardest braking of the incident: ${hardest.drop.toFixed(1)} km/h within two seconds, ending ${hardest.time}`,
);

const zip = new yazl.ZipFile();
const mtime = new Date(2026, 2, 15, 9, 0, 0);
for (const van of [van12, van07, van03]) {
  const rows = drives.filter((d) => d.van === van).flatMap((d) => d.rows);
  const text = `psn,carName,datetime,lat,lng,drive_no,heading,speedKmh\r\n${rows.join('\r\n')}\r\n`;
  zip.addBuffer(Buffer.from(text), `camera-${van.name}-${van.psn}.csv`, { mtime, compressionLevel: 9 });
  console.log(`${van.name}: ${rows.length} points`);
}
zip.end();
zip.outputStream.pipe(createWriteStream(path.join(root, 'assets', 'sample-export.zip')));
