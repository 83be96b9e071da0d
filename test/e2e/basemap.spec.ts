import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright/test';
import { dropFiles, expect, test } from './desk.ts';
import { smallExport } from './exports.ts';
import { writePmtiles, type MapFeature } from './pmtiles.ts';

const box = (west: number, south: number, east: number, north: number): MapFeature['at'] => [
  [west, north],
  [east, north],
  [east, south],
  [west, south],
];

/** Land, a lake north of the trips' road, the road itself and a town, in the Protomaps schema. */
function town(compression: 'gzip' | 'none'): Buffer {
  const north = 52.3712;
  return writePmtiles({
    bounds: [4.7, 52.2, 5.2, 52.5],
    maxZoom: 14,
    mostTilesAcross: 25,
    compression,
    hasLeaves: compression === 'none',
    metadata: { attribution: '<a href="https://osm.example">© OpenStreetMap</a>' },
    layers: {
      earth: [{ kind: 'polygon', at: box(3, 51, 7, 54), properties: { kind: 'earth' } }],
      water: [{ kind: 'polygon', at: box(4.8, north, 5.1, 52.45), properties: { kind: 'lake' } }],
      roads: [
        {
          kind: 'line',
          at: [
            [4.8, 52.3695],
            [5.1, 52.3695],
          ],
          properties: { kind: 'highway', name: 'Ringweg', sort_rank: 400 },
        },
      ],
      places: [
        {
          kind: 'point',
          at: [[4.893, 52.369]],
          properties: { kind: 'locality', kind_detail: 'city', name: 'Watergraaf', population_rank: 11 },
        },
      ],
    },
  });
}

async function pickBasemap(page: Page, name: string, bytes: Buffer): Promise<void> {
  await goTo(page, 'Settings');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /Choose a PMTiles file…|Replace…/ }).click();
  await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer: bytes });
}
const goTo = (page: Page, screen: string) =>
  page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).click();

async function showTrips(page: Page): Promise<void> {
  await dropFiles(page, [{ name: 'week 11.zip', bytes: await smallExport() }]);
  await expect(page.getByText('3 trips · 200 points')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all trips shown' }).check();
}

/** Share of the tiles' pixels that have the colour of the Protomaps style's water; 0 without any tile. */
function waterShare(page: Page): Promise<number> {
  return page.getByTestId('library-map').evaluate((map) => {
    let [water, all] = [0, 0];
    for (const tile of map.querySelectorAll<HTMLCanvasElement>('.leaflet-tile-pane canvas')) {
      if (tile.width === 0) continue;
      const { data } = tile.getContext('2d')!.getImageData(0, 0, tile.width, tile.height);
      for (let i = 0; i < data.length; i += 4) {
        all++;
        if (data[i] === 0x80 && data[i + 1] === 0xde && data[i + 2] === 0xea && data[i + 3] === 255) water++;
      }
    }
    return all === 0 ? 0 : water / all;
  });
}
const map = (page: Page) => page.getByTestId('library-map');

for (const compression of ['gzip', 'none'] as const) {
  test(`a PMTiles file (${compression}) that is picked is drawn, kept over a reload, and cleared`, async ({
    page,
  }) => {
    await showTrips(page);
    expect(await waterShare(page)).toBe(0);
    await pickBasemap(page, 'town & <b>lake.pmtiles', town(compression));
    await expect(page.getByRole('button', { name: 'Remove' })).toBeVisible();
    await goTo(page, 'Library');
    await expect.poll(() => waterShare(page)).toBeGreaterThan(0.2);
    await expect(map(page)).toContainText('Detail: town & <b>lake.pmtiles · © OpenStreetMap');
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/pmtiles-${compression}.png` });

    // Deeper than the file's last level, which is enlarged.
    for (let turn = 0; turn < 4; turn++) await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(() => waterShare(page)).toBeGreaterThan(0.2);
    await expect(map(page)).not.toContainText('PMTiles file in Settings');
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/pmtiles-deep.png` });

    await page.reload();
    await page.getByRole('checkbox', { name: 'Select all trips shown' }).check();
    await expect.poll(() => waterShare(page)).toBeGreaterThan(0.2);

    await goTo(page, 'Settings');
    await page.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('button', { name: 'Choose a PMTiles file…' })).toBeVisible();
    await goTo(page, 'Library');
    await expect(map(page)).not.toContainText('Detail:');
    expect(await waterShare(page)).toBe(0);
  });
}

test('a damaged PMTiles file is refused with words, and the one before stays', async ({ page }) => {
  const whole = town('gzip');
  await pickBasemap(page, 'town.pmtiles', whole);
  await expect(page.getByText(/^town\.pmtiles/)).toBeVisible();
  await pickBasemap(page, 'half.pmtiles', whole.subarray(0, whole.length - 500));
  await expect(page.getByText('"half.pmtiles" ends before its own header says it does.')).toBeVisible();
  const broken = Buffer.from(whole);
  broken.fill(0xff, 135, 180);
  await pickBasemap(page, 'broken.pmtiles', broken);
  await expect(page.getByText('The tile directory of "broken.pmtiles" can’t be read.')).toBeVisible();
  await expect(page.getByText(/^town\.pmtiles/)).toBeVisible();
});

test('tiles that turn out to be damaged are told of, and the bundled map stays', async ({ page }) => {
  await showTrips(page);
  const bytes = town('gzip');
  const tilesAt = Number(bytes.readBigUInt64LE(56));
  bytes.fill(0xff, tilesAt);
  await pickBasemap(page, 'rotten.pmtiles', bytes);
  await expect(page.getByRole('button', { name: 'Remove' })).toBeVisible();
  await goTo(page, 'Library');
  await expect(map(page)).toContainText(
    'Parts of rotten.pmtiles can’t be read: choose a whole copy in Settings',
  );
  expect(await waterShare(page)).toBe(0);
});

/** A server of coloured tiles on another origin of this machine. */
async function tileServer(): Promise<{ origin: string; asked: string[]; close(): Promise<void> }> {
  const asked: string[] = [];
  const picture =
    '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="#c8a"/></svg>';
  const server = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, {
      'content-type': 'image/svg+xml',
      'cross-origin-resource-policy': 'cross-origin',
    });
    response.end(picture);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on a port, not a pipe
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Pictures of tiles that have arrived. */
const loadedTiles = (page: Page) =>
  page
    .locator('.leaflet-tile-pane img')
    .evaluateAll((images) => images.filter((image) => (image as HTMLImageElement).naturalWidth > 0).length);

/** Whether the page's security policy lets a picture of an origin through. */
const mayLoad = (page: Page, url: string) =>
  page.evaluate(
    (src) =>
      new Promise<boolean>((resolve) => {
        const image = new Image();
        image.onload = () => resolve(true);
        image.onerror = () => resolve(false);
        image.src = src;
      }),
    url,
  );

// With a page of its own: the fixture's page must never ask another origin.
test('online tiles come from the one address that the user set, while it is set', async ({
  desk,
  context,
}) => {
  const [tiles, other] = await Promise.all([tileServer(), tileServer()]);
  try {
    const page = await context.newPage();
    await page.goto(desk.host.address);
    await page.getByRole('heading', { name: 'Bring in a GPS export to begin' }).waitFor();
    await showTrips(page);
    await expect(map(page)).toContainText('Natural Earth');
    expect(await mayLoad(page, `${tiles.origin}/0/0/0.png`)).toBe(false);

    await goTo(page, 'Settings');
    await page.getByLabel('Tile address').fill(`${tiles.origin}/{z}/{x}/{y}.png`);
    await page.keyboard.press('Enter');
    await page.getByLabel('Attribution').fill('<a href="https://tiles.example">© Tile makers</a>');
    await page.keyboard.press('Enter');
    await expect(page.getByText('On: the map asks this address')).toBeVisible();
    expect(tiles.asked).toEqual([]);
    await page.getByRole('button', { name: 'Reload the window' }).click();
    await expect(page.getByRole('button', { name: 'Reload the window' })).toBeHidden();

    await goTo(page, 'Library');
    await page.getByRole('checkbox', { name: 'Select all trips shown' }).check();
    await expect.poll(() => loadedTiles(page)).toBeGreaterThan(3);
    expect(tiles.asked.every((url) => /^\/\d+\/\d+\/\d+\.png$/.test(url))).toBe(true);
    await expect(map(page)).toContainText('© Tile makers');
    await expect(map(page).getByRole('link', { name: '© Tile makers' })).toHaveCount(0);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/online.png` });
    expect(await mayLoad(page, `${other.origin}/0/0/0.png`)).toBe(false);
    expect(other.asked).toEqual([]);

    await goTo(page, 'Settings');
    await page.getByLabel('Tile address').fill('');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Off: no network requests')).toBeVisible();
    await page.reload();
    const before = tiles.asked.length;
    await goTo(page, 'Library');
    await page.getByRole('checkbox', { name: 'Select all trips shown' }).check();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect(map(page)).not.toContainText('© Tile makers');
    expect(await mayLoad(page, `${tiles.origin}/0/0/0.png`)).toBe(false);
    expect(tiles.asked.length).toBe(before);
  } finally {
    await Promise.all([tiles.close(), other.close()]);
  }
});
