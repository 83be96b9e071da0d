import type { ReviewScene } from '../../../../shared/contract/review.ts';
import type { ShownFrame } from '../model.ts';
import { channelName, clockOfClip, placeOfClip, shownFileName } from './anchors.ts';
import { formatMoment, formatUncertainty, type MomentZone } from './momentText.ts';

/**
 * What a stamped still says, in pieces that lines are made of: camera, file, UTC with its uncertainty, the local
 * time with its zone, and the frame. An unknown clock is said, and no time is made up.
 */
export function stampPieces(scene: ReviewScene, frame: ShownFrame, localZone: string): readonly string[] {
  const place = placeOfClip(scene, frame.clipId);
  const clock = clockOfClip(scene, frame.clipId);
  const pieces: string[] = [];
  if (place) pieces.push(channelName(place.channel), shownFileName(place.segment, frame.clipId));
  if (scene.timebase === 'utc' && clock?.startUtcMs != null) {
    const utcMs = frame.sceneMs;
    const utc: MomentZone = { kind: 'zone', zone: 'UTC' };
    const local: MomentZone =
      scene.utcOffsetMin === null
        ? { kind: 'zone', zone: localZone }
        : { kind: 'offset', offsetMin: scene.utcOffsetMin };
    pieces.push(`${formatMoment(utcMs, utc)} ${formatUncertainty(clock.uncertaintyMs)}`);
    const whose = scene.utcOffsetMin === null ? 'this computer' : 'vehicle';
    pieces.push(`${formatMoment(utcMs, local)} (${whose})`);
  } else {
    pieces.push('time of day unknown');
  }
  const at = `${frame.clipS.toFixed(3)} s into the clip`;
  pieces.push(frame.frameIndex === null ? at : `frame ${frame.frameIndex}, ${at}`);
  return pieces;
}

export const stampSeparator = ' · ';

export interface StampLayout {
  readonly fontPx: number;
  readonly lineHeightPx: number;
  readonly paddingPx: number;
  readonly lines: readonly string[];
  readonly barHeightPx: number;
}

/**
 * Breaks the pieces into lines that fit the picture's width: whole pieces where possible, at words where a piece is
 * too long, at letters where even a word is. `measure`: width in px of a text at a font size.
 */
export function layoutStamp(
  pieces: readonly string[],
  widthPx: number,
  heightPx: number,
  measure: (text: string, fontPx: number) => number,
): StampLayout {
  const fontPx = Math.round(Math.min(40, Math.max(9, heightPx / 36)));
  const paddingPx = Math.max(3, Math.round(fontPx / 2));
  const room = Math.max(fontPx, widthPx - 2 * paddingPx);
  const fits = (text: string) => measure(text, fontPx) <= room;
  const lines: string[] = [];
  const add = (text: string, separator: string) => {
    const last = lines.at(-1);
    if (last !== undefined && fits(last + separator + text))
      lines[lines.length - 1] = last + separator + text;
    else lines.push(text);
  };
  for (const piece of pieces) {
    if (fits(piece)) {
      add(piece, stampSeparator);
      continue;
    }
    piece.split(' ').forEach((word, index) => {
      let rest = word;
      while (!fits(rest)) {
        let count = rest.length - 1;
        while (count > 1 && !fits(rest.slice(0, count))) count -= 1;
        if (count < 1) break;
        lines.push(rest.slice(0, count));
        rest = rest.slice(count);
      }
      add(rest, index === 0 ? stampSeparator : ' ');
    });
  }
  const lineHeightPx = Math.round(fontPx * 1.35);
  return { fontPx, lineHeightPx, paddingPx, lines, barHeightPx: lines.length * lineHeightPx + 2 * paddingPx };
}

const fontOf = (fontPx: number) =>
  `500 ${fontPx}px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace`;

/**
 * A copy of a picture, of the same size, with the text in a black bar over its upper edge. The picture itself is
 * not touched. Rejects where the browser can't draw it.
 */
export async function drawStamp(png: Blob, pieces: readonly string[]): Promise<Blob> {
  const picture = await createImageBitmap(png);
  try {
    const canvas = document.createElement('canvas');
    canvas.width = picture.width;
    canvas.height = picture.height;
    const context = canvas.getContext('2d');
    if (!context) throw new Error('The browser gives no canvas to draw on.');
    context.drawImage(picture, 0, 0);
    const layout = layoutStamp(pieces, canvas.width, canvas.height, (text, fontPx) => {
      context.font = fontOf(fontPx);
      return context.measureText(text).width;
    });
    context.fillStyle = '#000';
    context.fillRect(0, 0, canvas.width, Math.min(layout.barHeightPx, canvas.height));
    context.font = fontOf(layout.fontPx);
    context.fillStyle = '#fff';
    context.textBaseline = 'middle';
    layout.lines.forEach((line, index) => {
      context.fillText(line, layout.paddingPx, layout.paddingPx + (index + 0.5) * layout.lineHeightPx);
    });
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('The stamped picture could not be written.'))),
        'image/png',
      );
    });
  } finally {
    picture.close();
  }
}
