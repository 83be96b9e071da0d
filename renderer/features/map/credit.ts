/**
 * A credit as Leaflet takes it (HTML): `text` is words (a file's name) and kept as they are; `html` is a provider's
 * attribution, of which only the words are kept. Empty parts are left out.
 */
export function creditText(text: string, html: string): string {
  return [text.trim(), wordsOf(html)]
    .filter((part) => part !== '')
    .map(escapeHtml)
    .join(' · ');
}

/** The words of what may be HTML, as providers give their attribution: `<a href=…>© OpenStreetMap</a>`. */
function wordsOf(html: string): string {
  if (!/[<&]/.test(html)) return html.trim();
  // A parsed document without a window: nothing in it runs or loads.
  return (new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '').trim();
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
