import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { routes } from './http/routes.ts';

const folder = import.meta.dirname;
const table = readFileSync(path.join(folder, '..', '..', 'docs', 'conformance.md'), 'utf8');
const rows = table
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => {
    const [section = '', rule = '', file = '', test = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    const named = /^`([\w.]+)`: (.*)$/.exec(test);
    return {
      section,
      rule,
      file: file.replaceAll('`', ''),
      testFile: named?.[1] ?? '',
      testName: named?.[2] ?? test,
    };
  });

/** The sections of the specification that state rules a server can keep or break. */
const sections = [
  ...[
    '2.1',
    '2.2',
    '2.3',
    '2.4',
    '2.5',
    '2.6',
    '2.7',
    '2.8',
    '2.9',
    '2.10',
    '2.11',
    '2.12',
    '3.1',
    '3.2',
    '3.3',
    '3.4',
  ],
  ...[
    '4.1',
    '4.2',
    '4.3',
    '4.4',
    '4.5',
    '4.6',
    '4.7',
    '5.1',
    '5.2',
    '5.3',
    '5.4',
    '5.5',
    '5.6',
    '5.7',
    '5.8',
  ],
  ...['6.1', '6.2', '6.3', '6.4', '7', '8.1', '8.2', '8.3', '8.4', '8.5', '9'],
];

describe('the conformance table', () => {
  it('names files of the simulator and tests that exist', () => {
    const missing = rows.filter(({ file, testFile, testName }) => {
      const testPath = path.join(folder, testFile);
      if (testFile === '' || !existsSync(testPath) || !existsSync(path.join(folder, file))) return true;
      const source = readFileSync(testPath, 'utf8');
      return !source.includes(`'${testName}'`);
    });
    expect(missing).toEqual([]);
    expect(rows.length).toBeGreaterThan(150);
  });

  it('has a row for every section with rules', () => {
    const covered = new Set(rows.flatMap(({ section }) => section.split(/[ ,]+|-/)));
    expect(sections.filter((section) => !covered.has(section))).toEqual([]);
  });
});

describe('the routes', () => {
  it('are those of section 4, no more and no fewer', () => {
    const lines = routes.map((route) => `${route.method} ${route.template}`);
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines.sort()).toEqual(
      [
        'GET /v1/devices',
        'POST /v1/devices',
        'GET /v1/devices/{psn}',
        'PUT /v1/devices/{psn}',
        'GET /v1/devices/{psn}/firmware',
        'GET /v1/devices/{psn}/battery',
        'POST /v1/devices/{psn}/reboot',
        'GET /v1/devices/{psn}/trips',
        'GET /v1/devices/{psn}/sd-files',
        'GET /v1/devices/{psn}/sd-files/{filename}/metadata',
        'GET /v1/devices/{psn}/sd-files/{filename}/video',
        'DELETE /v1/devices/{psn}/sd-files/{filename}',
        'POST /v1/media/recall-jobs',
        'GET /v1/media/recall-jobs',
        'GET /v1/media/recall-jobs/{jobId}',
        'DELETE /v1/media/recall-jobs/{jobId}',
        'POST /v1/webhooks',
        'GET /v1/webhooks',
        'GET /v1/webhooks/{webhookId}',
        'DELETE /v1/webhooks/{webhookId}',
        'POST /v1/webhooks/{webhookId}/test',
        'GET /v1/webhooks/{webhookId}/deliveries',
        'POST /v1/webhooks/{webhookId}/reactivate',
        'POST /v1/webhooks/{webhookId}/rotate-secret',
        'POST /v1/gps/export-jobs',
        'GET /v1/gps/export-jobs',
        'GET /v1/gps/export-jobs/{jobId}',
        'DELETE /v1/gps/export-jobs/{jobId}',
        'GET /v1/api-logs',
        'GET /v1/usage',
        'GET /v1/audit-logs',
        'GET /v1/events',
        'GET /v1/events/feed',
        'GET /v1/events/{eventId}',
        'GET /v1/events/{eventId}/video',
        'GET /v1/events/{eventId}/thumbnail',
        'GET /v1/safety-events/stats',
        'GET /v1/reports/driving',
        'GET /v1/reports/driving/{psn}',
        'GET /v1/fleet/summary',
        'GET /v1/fleet/locations',
        'GET /v1/fleet/locations/feed',
        'GET /v1/trips/{tripId}/track',
        'GET /v1/geofences',
        'POST /v1/geofences',
        'GET /v1/geofences/{geofenceId}',
        'PUT /v1/geofences/{geofenceId}',
        'DELETE /v1/geofences/{geofenceId}',
        'GET /v1/geofence-alerts',
        'GET /v1/groups',
      ].sort(),
    );
  });
});
