/**
 * A text cell of a CSV that spreadsheets open: RFC 4180 quotes, and a leading ' before what a spreadsheet would
 * run as a formula (reliability.md, Import attacks). Numbers are not passed through here.
 */
export function csvText(text: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
