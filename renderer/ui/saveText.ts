/** Offers `text` as a download under the given name. */
export function saveText(fileName: string, text: string, contentType = 'text/plain'): void {
  const address = URL.createObjectURL(new Blob([text], { type: contentType }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The download has taken the address over once the click is handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Offers a file of the host as a download; the host states its name. */
export function saveFrom(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}
