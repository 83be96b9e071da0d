/**
 * Draws the fixture clips of `clips/` with ffmpeg's libx264. Run by hand, once:
 * `node test/simulator/makeClips.ts [drive] [collision] [parking]`. The results are committed, so tests need no ffmpeg.
 *
 * Every frame carries its own number in 16 squares of 20 x 20 pixels along the bottom edge
 * (layout: docs/simulator.md, "Frame pattern"), so a test can read from a rendered picture which frame it is.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const widthPx = 320;
const heightPx = 180;
const framesPerSecond = 30;
const cellPx = 20;
const clipFolder = path.join(import.meta.dirname, 'clips');

type Camera = 'front' | 'option';
type Story = 'drive' | 'collision' | 'parking';
type Colour = readonly [number, number, number];

/** A collision goes on for a minute after the impact, as cameras keep it: long enough to watch two views in step. */
const secondsByStory: Readonly<Record<Story, number>> = { drive: 20, collision: 70, parking: 10 };
/** The frame at which the collision clip's impact is drawn: 10 s in, as the telemetry says. */
const impactFrame = 300;

function createCanvas() {
  const pixels = Buffer.alloc(widthPx * heightPx * 3);
  return {
    pixels,
    rectangle(left: number, top: number, right: number, bottom: number, colour: Colour) {
      const fromX = Math.max(0, Math.round(left));
      const toX = Math.min(widthPx, Math.round(right));
      const toY = Math.min(heightPx, Math.round(bottom));
      for (let y = Math.max(0, Math.round(top)); y < toY; y += 1) {
        for (let x = fromX; x < toX; x += 1) {
          const at = (y * widthPx + x) * 3;
          pixels[at] = colour[0];
          pixels[at + 1] = colour[1];
          pixels[at + 2] = colour[2];
        }
      }
    },
  };
}

type Canvas = ReturnType<typeof createCanvas>;

/** Looking out over the bonnet: road, dashes that come closer, and in the collision a car that brakes. */
function drawFront(canvas: Canvas, story: Story, frame: number): void {
  const isStopped = story === 'parking' || (story === 'collision' && frame >= impactFrame);
  const travelled = isStopped ? (story === 'parking' ? 0 : impactFrame) : frame;
  const shake = story === 'collision' ? shakePx(frame) : 0;
  const horizon = 70 + shake;
  canvas.rectangle(0, 0, widthPx, horizon, story === 'parking' ? [28, 34, 58] : [128, 176, 224]);
  canvas.rectangle(0, horizon, widthPx, 160, story === 'parking' ? [40, 46, 40] : [92, 122, 76]);
  for (let y = horizon; y < 160; y += 2) {
    const nearness = (y - horizon) / 90;
    canvas.rectangle(160 - 14 - 150 * nearness, y, 160 + 14 + 150 * nearness, y + 2, [74, 74, 78]);
  }
  for (let dash = 0; dash < 5; dash += 1) {
    const depth = ((dash + (travelled % 15) / 15) / 5) ** 2;
    canvas.rectangle(
      160 - 1 - 5 * depth,
      horizon + 90 * depth,
      160 + 1 + 5 * depth,
      horizon + 90 * depth + 2 + 14 * depth,
      [236, 232, 200],
    );
  }
  for (let pole = 0; pole < 3; pole += 1) {
    const depth = ((pole + (travelled % 40) / 40) / 3) ** 2;
    const x = 160 + 24 + 200 * depth;
    canvas.rectangle(x, horizon - 10 - 60 * depth, x + 2 + 6 * depth, horizon + 90 * depth, [60, 52, 44]);
  }
  if (story === 'collision') drawCarAhead(canvas, frame, horizon);
  if (story === 'parking') canvas.rectangle(20 + frame * 0.9, 80, 34 + frame * 0.9, 132, [150, 60, 60]);
  canvas.rectangle(40, 150, 280, 160, [24, 24, 30]);
}

function drawCarAhead(canvas: Canvas, frame: number, horizon: number): void {
  const closing = Math.min(1, Math.max(0, (frame - 210) / (impactFrame - 210)));
  const halfWidth = 8 + 92 * closing ** 2;
  const bottom = horizon + 14 + 72 * closing ** 2;
  canvas.rectangle(160 - halfWidth, bottom - halfWidth, 160 + halfWidth, bottom, [176, 24, 32]);
  const brake: Colour = closing > 0 ? [255, 90, 60] : [120, 10, 10];
  canvas.rectangle(
    160 - halfWidth,
    bottom - halfWidth / 2,
    160 - halfWidth * 0.7,
    bottom - halfWidth / 4,
    brake,
  );
  canvas.rectangle(
    160 + halfWidth * 0.7,
    bottom - halfWidth / 2,
    160 + halfWidth,
    bottom - halfWidth / 4,
    brake,
  );
}

/** Looking into the cabin: warm colours, a driver, and the rear window with the road going away. */
function drawOption(canvas: Canvas, story: Story, frame: number): void {
  const isStopped = story === 'parking' || (story === 'collision' && frame >= impactFrame);
  const travelled = isStopped ? impactFrame : frame;
  const shake = story === 'collision' ? shakePx(frame) : 0;
  canvas.rectangle(0, 0, widthPx, 160, story === 'parking' ? [36, 24, 18] : [122, 86, 58]);
  canvas.rectangle(90, 20 + shake, 230, 80 + shake, story === 'parking' ? [20, 22, 34] : [176, 196, 210]);
  canvas.rectangle(90, 56 + shake, 230, 80 + shake, [84, 84, 88]);
  for (let dash = 0; dash < 4; dash += 1) {
    const depth = 1 - (dash + (travelled % 15) / 15) / 4;
    canvas.rectangle(
      159 - 2 * depth,
      56 + shake + 24 * depth,
      161 + 2 * depth,
      59 + shake + 24 * depth,
      [236, 232, 200],
    );
  }
  if (story !== 'parking') {
    const lurch = story === 'collision' && frame >= impactFrame ? Math.max(0, 26 - (frame - impactFrame)) : 0;
    canvas.rectangle(40 + shake, 70 + lurch, 100 + shake, 160, [48, 60, 98]);
    canvas.rectangle(52 + shake, 40 + lurch, 88 + shake, 76 + lurch, [214, 168, 134]);
  }
  canvas.rectangle(196, 96, 290, 160, [70, 48, 34]);
}

/** A dying oscillation after the impact, so that the pictures shake as the G-sensor does. */
function shakePx(frame: number): number {
  const since = frame - impactFrame;
  return since < 0 || since > 40 ? 0 : Math.round(14 * Math.exp(-since / 10) * Math.cos(since * 1.4));
}

function drawPattern(canvas: Canvas, camera: Camera, frame: number): void {
  const bits = [1, 0];
  for (let bit = 11; bit >= 0; bit -= 1) bits.push((frame >> bit) & 1);
  bits.push(camera === 'option' ? 1 : 0);
  bits.push(bits.reduce((sum, bit) => sum + bit, 0) % 2);
  bits.forEach((bit, index) => {
    const level = bit === 1 ? 255 : 0;
    canvas.rectangle(index * cellPx, heightPx - cellPx, (index + 1) * cellPx, heightPx, [
      level,
      level,
      level,
    ]);
  });
}

function drawFrame(canvas: Canvas, camera: Camera, story: Story, frame: number): void {
  if (camera === 'front') drawFront(canvas, story, frame);
  else drawOption(canvas, story, frame);
  if (story === 'collision' && (frame === impactFrame || frame === impactFrame + 1)) {
    canvas.rectangle(0, 0, widthPx, 160, [255, 255, 255]);
  }
  drawPattern(canvas, camera, frame);
}

async function run(command: readonly string[], frames: Iterable<Buffer>): Promise<Buffer> {
  const child = spawn('ffmpeg', [...command], { stdio: ['pipe', 'pipe', 'inherit'] });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  for (const frame of frames) {
    if (!child.stdin.write(frame)) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  await once(child, 'close');
  return Buffer.concat(output);
}

const rawInput = [
  '-f',
  'rawvideo',
  '-pix_fmt',
  'rgb24',
  '-s',
  `${widthPx}x${heightPx}`,
  '-r',
  `${framesPerSecond}`,
];

function* framesOf(camera: Camera, story: Story): Generator<Buffer> {
  const canvas = createCanvas();
  for (let frame = 0; frame < secondsByStory[story] * framesPerSecond; frame += 1) {
    drawFrame(canvas, camera, story, frame);
    yield Buffer.from(canvas.pixels);
  }
}

await mkdir(clipFolder, { recursive: true });
const wanted = process.argv.slice(2);
for (const story of ['drive', 'collision', 'parking'] as const) {
  if (wanted.length > 0 && !wanted.includes(story)) continue;
  for (const camera of ['front', 'option'] as const) {
    for (const [stream, quality] of [
      ['main', '24'],
      ['sub', '36'],
    ] as const) {
      const target = path.join(clipFolder, `${story}-${camera}-${stream}.mp4`);
      await run(
        [
          '-v',
          'error',
          '-y',
          ...rawInput,
          '-i',
          '-',
          '-an',
          '-c:v',
          'libx264',
          '-preset',
          'veryslow',
          '-threads',
          '1',
          '-crf',
          quality,
          '-g',
          '30',
          '-keyint_min',
          '30',
          '-sc_threshold',
          '0',
          '-bf',
          '0',
          '-pix_fmt',
          'yuv420p',
          '-fflags',
          '+bitexact',
          '-flags:v',
          '+bitexact',
          '-movflags',
          '+faststart',
          target,
        ],
        framesOf(camera, story),
      );
    }
    const canvas = createCanvas();
    drawFrame(canvas, camera, story, story === 'collision' ? impactFrame - 12 : 20);
    const thumbnail = await run(
      [
        '-v',
        'error',
        ...rawInput,
        '-i',
        '-',
        '-frames:v',
        '1',
        '-vf',
        'scale=160:90',
        '-q:v',
        '9',
        '-fflags',
        '+bitexact',
        '-f',
        'mjpeg',
        '-',
      ],
      [Buffer.from(canvas.pixels)],
    );
    await writeFile(path.join(clipFolder, `${story}-${camera}.jpg`), thumbnail);
  }
}
