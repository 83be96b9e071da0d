/** The thread that draws the offline map. Reads the bundled files when they are first needed, from the app itself. */
import {
  decodeLabels,
  decodeLakes,
  decodeOutlines,
  type BasemapLabel,
  type BasemapOutlines,
} from './basemapData.ts';
import { paintGround, paintNames } from './basemapPaint.ts';
import type { BasemapReply, BasemapRequest } from './basemapMessages.ts';

/** As in trackWorker.ts. */
const port = self as unknown as {
  postMessage(message: BasemapReply, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<BasemapRequest>) => void) | null;
};
const read = new Map<string, Promise<unknown>>();

async function load(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the basemap could not be read (${response.status})`);
  return response;
}
function once<T>(url: string, decode: (response: Response) => Promise<T>): Promise<T> {
  let found = read.get(url);
  if (!found) {
    found = load(url).then(decode);
    read.set(url, found);
    found.catch(() => read.delete(url)); // the next painting tries again
  }
  return found as Promise<T>; // the only writer for this url is the line above
}
const outlinesOf = (url: string): Promise<BasemapOutlines> =>
  once(url, async (response) => decodeOutlines(await response.arrayBuffer()));
const labelsOf = (url: string): Promise<readonly BasemapLabel[]> =>
  once(url, async (response) => decodeLabels(await response.json()));

const lakesOf = (url: string) => once(url, async (response) => decodeLakes(await response.json()));

let canvas: OffscreenCanvas | null = null;

async function paint(request: BasemapRequest): Promise<BasemapReply> {
  const { view, files } = request;
  const zoom = Math.log2(view.worldPx / 256);
  const file = zoom < 3.5 ? files.coarse : zoom < 6 ? files.medium : files.fine;
  const [ground, labels] = await Promise.all([
    request.part === 'names' ? null : Promise.all([outlinesOf(file), lakesOf(files.lakes)]),
    request.part === 'ground' ? null : labelsOf(files.labels),
  ]);
  const width = Math.max(1, Math.round(view.widthPx * view.pixelRatio));
  const height = Math.max(1, Math.round(view.heightPx * view.pixelRatio));
  canvas ??= new OffscreenCanvas(width, height);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no 2d context in the drawing thread');
  context.setTransform(view.pixelRatio, 0, 0, view.pixelRatio, 0, 0);
  context.clearRect(0, 0, view.widthPx, view.heightPx);
  if (ground) paintGround(context, ...ground, view, request.scheme);
  if (labels) paintNames(context, labels, view, request.scheme);
  return { id: request.id, bitmap: canvas.transferToImageBitmap() };
}

port.onmessage = ({ data }) => {
  paint(data).then(
    (reply) => port.postMessage(reply, reply.bitmap ? [reply.bitmap] : []),
    (error: unknown) => {
      console.error('The offline map could not be drawn:', error);
      port.postMessage({ id: data.id, bitmap: null }, []);
    },
  );
};
