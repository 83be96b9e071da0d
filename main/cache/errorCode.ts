/** The `code` of a Node or SQLite error; empty for anything else. On its own: threads without a database need it too. */
export function codeOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return '';
  return typeof thrown.code === 'string' ? thrown.code : '';
}
