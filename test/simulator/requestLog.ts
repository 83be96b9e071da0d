/** What tests ask the simulator afterwards: every request, and how devices were treated. */
export interface RequestRecord {
  readonly index: number;
  /** On the service's clock. */
  readonly atMs: number;
  /** On the machine's monotonic clock: for rates and overlaps as they really were. */
  readonly realMs: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly hasAuthorization: boolean;
  readonly range: string | null;
  readonly ifRange: string | null;
  readonly userAgent: string | null;
  requestId: string;
  surface: 'api' | 'link' | 'control';
  keyId: string | null;
  keyLabel: string | null;
  route: string | null;
  status: number | null;
  code: string | null;
  psn: string | null;
  deviceContact: string | null;
  /** `psn/filename/quality` of a recall that started or reused a transfer, and so was charged. */
  recalled: string | null;
  bytesSent: number;
  isAborted: boolean;
  fault: string | null;
  endRealMs: number | null;
}

export interface Violation {
  readonly kind: string;
  readonly requestIndex: number;
  readonly detail: string;
}

export interface RequestLog {
  readonly records: RequestRecord[];
  readonly violations: Violation[];
  add(record: RequestRecord): void;
  violate(kind: string, record: RequestRecord, detail: string): void;
  summary(): Record<string, unknown>;
  clear(): void;
}

/** The most requests that began within any one real second. */
function peakPerSecond(timesMs: readonly number[]): number {
  const sorted = [...timesMs].sort((one, other) => one - other);
  let peak = 0;
  let first = 0;
  sorted.forEach((atMs, index) => {
    while ((sorted[first] ?? atMs) <= atMs - 1000) first += 1;
    peak = Math.max(peak, index - first + 1);
  });
  return peak;
}

/** The shortest time, on the service's clock, between two lookups of the same job; null without two. */
function shortestGapMs(groups: ReadonlyMap<string, readonly RequestRecord[]>): number | null {
  const gaps = [...groups.values()].flatMap((all) =>
    all.slice(1).map((record, index) => record.atMs - (all[index]?.atMs ?? record.atMs)),
  );
  return gaps.length === 0 ? null : Math.min(...gaps);
}

function countOverlaps(contacts: readonly RequestRecord[]): number {
  let overlaps = 0;
  contacts.forEach((one, index) => {
    for (const other of contacts.slice(index + 1)) {
      const isOneOpen = one.endRealMs === null || one.endRealMs > other.realMs;
      if (other.realMs >= one.realMs && isOneOpen) overlaps += 1;
    }
  });
  return overlaps;
}

export function createRequestLog(): RequestLog {
  const records: RequestRecord[] = [];
  const violations: Violation[] = [];
  return {
    records,
    violations,
    add: (record) => records.push(record),
    violate: (kind, record, detail) => violations.push({ kind, requestIndex: record.index, detail }),
    clear() {
      records.length = 0;
      violations.length = 0;
    },
    summary() {
      const group = <T>(items: readonly T[], keyOf: (item: T) => string | null): Map<string, T[]> => {
        const groups = new Map<string, T[]>();
        for (const item of items) {
          const key = keyOf(item);
          if (key !== null) groups.set(key, [...(groups.get(key) ?? []), item]);
        }
        return groups;
      };
      const api = records.filter((record) => record.surface === 'api');
      const contacts = api.filter((record) => record.deviceContact !== null);
      const fromMap = <V>(
        map: Map<string, RequestRecord[]>,
        toValue: (group: RequestRecord[]) => V,
      ): Record<string, V> => Object.fromEntries([...map].map(([key, group_]) => [key, toValue(group_)]));
      return {
        requests: api.length,
        linkRequests: records.filter((record) => record.surface === 'link').length,
        requestsByRoute: fromMap(
          group(api, (record) => `${record.method} ${record.route ?? record.path}`),
          (all) => all.length,
        ),
        requestsByStatus: fromMap(
          group(api, (record) => String(record.status)),
          (all) => all.length,
        ),
        peakRequestsPerSecondByKey: fromMap(
          group(api, (record) => record.keyId),
          (all) => peakPerSecond(all.map((record) => record.realMs)),
        ),
        rateLimitedByKey: fromMap(
          group(
            api.filter((record) => record.code === 'rate_limited'),
            (record) => record.keyId,
          ),
          (all) => all.length,
        ),
        deviceContacts: fromMap(
          group(contacts, (record) => record.psn),
          (all) => ({
            count: all.length,
            overlaps: countOverlaps(all),
            kinds: all.map((record) => record.deviceContact),
          }),
        ),
        recalls: fromMap(
          group(api, (record) => record.recalled),
          (all) => all.length,
        ),
        shortestExportPollMs: shortestGapMs(
          group(
            api.filter((record) => record.method === 'GET' && record.route === '/v1/gps/export-jobs/{jobId}'),
            (record) => record.path,
          ),
        ),
        linkRequestsWithKey: violations.filter((violation) => violation.kind === 'key_sent_to_link').length,
        violations,
      };
    },
  };
}
