/**
 * The status that the core answers for a clip's file, null without an answer: a video element does not tell why it
 * failed. One byte is asked for.
 */
export async function askForClip(address: string): Promise<number | null> {
  try {
    const response = await fetch(address, { headers: { range: 'bytes=0-0' }, cache: 'no-store' });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
