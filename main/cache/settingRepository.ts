import type { WritableDb } from './database.ts';

/** Settings by key, each a JSON value. What a value means and how it is checked is its use case's affair. */
export function createSettingRepository(db: WritableDb) {
  const select = db.prepare<[string], string>('SELECT value FROM setting WHERE key = ?').pluck();
  const selectAll = db.prepare<[], { key: string; value: string }>(
    'SELECT key, value FROM setting ORDER BY key',
  );
  const upsert = db.prepare<[string, string]>(
    'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const remove = db.prepare<[string]>('DELETE FROM setting WHERE key = ?');
  return {
    /** Undefined where it was never set; null is a value. */
    get(key: string): unknown {
      const value = select.get(key);
      return value === undefined ? undefined : JSON.parse(value);
    },
    all(): Readonly<Record<string, unknown>> {
      return Object.fromEntries(selectAll.all().map((row) => [row.key, JSON.parse(row.value)]));
    },
    set(key: string, value: unknown): void {
      upsert.run(key, JSON.stringify(value));
    },
    remove(key: string): void {
      remove.run(key);
    },
  };
}
export type SettingRepository = ReturnType<typeof createSettingRepository>;
