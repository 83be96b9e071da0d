// Makes assets/icons/{icon.png,icon.ico,icon.icns} and the Linux sizes from icon.svg, by drawing it in a browser.
// Run it after changing the SVG and commit what it wrote: `node scripts/make-icons.mjs`.
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright';
import { findChromium, root } from './runtime.mjs';

const folder = path.join(root, 'assets', 'icons');
const svg = fs.readFileSync(path.join(folder, 'icon.svg'), 'utf8');

/** macOS draws icons on a grid with an empty margin: 824 of 1024 are the picture. */
const macShare = 824 / 1024;
const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512];
const windowsSizes = [16, 24, 32, 48, 64, 128, 256];
/** Apple's names for PNG pictures in an .icns file. */
const macTypes = [
  ['icp4', 16],
  ['icp5', 32],
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
];

const browser = await chromium.launch({ executablePath: findChromium() ?? undefined });
const page = await browser.newPage();

async function draw(size, share = 1) {
  await page.setViewportSize({ width: size, height: size });
  const inner = size * share;
  const place = `position:absolute;left:${(size - inner) / 2}px;top:${(size - inner) / 2}px;width:${inner}px;height:${inner}px`;
  await page.setContent(
    `<body style="margin:0;background:transparent"><div style="${place}">${svg}</div></body>`,
  );
  return page.screenshot({ omitBackground: true });
}

/** ICO: a header of 6 bytes, 16 for each picture, then the PNG files. */
function toIco(pictures) {
  const header = Buffer.alloc(6 + 16 * pictures.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let at = header.length;
  pictures.forEach(({ size, png }, index) => {
    const entry = 6 + 16 * index;
    header.writeUInt8(size % 256, entry);
    header.writeUInt8(size % 256, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(png.length, entry + 8);
    header.writeUInt32LE(at, entry + 12);
    at += png.length;
  });
  return Buffer.concat([header, ...pictures.map(({ png }) => png)]);
}

/** ICNS: 'icns' and the whole length, then type, length and PNG for each picture. */
function toIcns(pictures) {
  const parts = pictures.flatMap(({ type, png }) => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32BE(png.length + 8, 4);
    return [head, png];
  });
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.write('icns', 'latin1');
  head.writeUInt32BE(body.length + 8, 4);
  return Buffer.concat([head, body]);
}

const windows = [];
for (const size of windowsSizes) windows.push({ size, png: await draw(size) });
fs.writeFileSync(path.join(folder, 'icon.ico'), toIco(windows));

const mac = [];
for (const [type, size] of macTypes) mac.push({ type, png: await draw(size, macShare) });
fs.writeFileSync(path.join(folder, 'icon.icns'), toIcns(mac));

for (const size of linuxSizes) fs.writeFileSync(path.join(folder, `${size}x${size}.png`), await draw(size));
fs.writeFileSync(path.join(folder, 'icon.png'), await draw(1024));
await browser.close();
console.log(fs.readdirSync(folder).join(' '));
