/** Serial-like: letters, digits, `-` and `_` without blanks, at least one digit. GPX `src` also holds free text. */
export function looksLikePsn(text: string): boolean {
  return /^(?=.*[0-9])[A-Za-z0-9_-]{6,64}$/.test(text);
}
