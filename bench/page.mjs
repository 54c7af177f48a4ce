/** The page itself in Chromium, as built: when a dropped file has its first picture, and the frames of a minute of moving about. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { chromium } from '@playwright/test';
import { chromiumPath } from '../scripts/lib/browser.mjs';
import { servePage } from '../scripts/lib/pageServer.mjs';
import { hoverChecks } from './checks.mjs';
import { filtering } from './filtering.mjs';
import { firstPicture } from './firstPicture.mjs';
import { frames, hovering } from './frames.mjs';
import { median } from './plan.mjs';
import { checkTable, holds, short, table } from './report.mjs';

/** A usual window. */
const VIEWPORT = { width: 1600, height: 1000 };
/** Some events pass it, of every trace of a scheduler. */
const FILTER = 'next_prio < 100';

/**
 * Tables for `traces`, and whether what must hold of a moving pointer does. Each first picture is of a new page, which has opened its sample before, as a user's has.
 * @param {{ traces: readonly { name: string, path: string }[], seconds: number, rounds: number }} options
 */
export async function pageTables({ traces, seconds, rounds }) {
  execFileSync(execPath, [join(import.meta.dirname, '../scripts/build.mjs')], { stdio: 'ignore' });
  const server = await servePage();
  const executablePath = chromiumPath();
  const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
  /** @type {string[][]} */
  const pictures = [];
  /** @type {string[][]} */
  const moved = [];
  /** @type {string[][]} */
  const hovered = [];
  /** @type {string[][]} */
  const filtered = [];
  /** @type {import('./report.mjs').Check[]} */
  const checks = [];
  try {
    for (const { name, path } of traces) {
      console.log(`page: ${name}`);
      /** @type {import('./firstPicture.mjs').FirstPicture[]} */
      const first = [];
      for (let round = 0; round < rounds; round++) {
        const tab = await browser.newPage({ bypassCSP: true, viewport: VIEWPORT });
        await tab.goto(server.url);
        await tab.evaluate('corelane.idle()');
        first.push(await firstPicture(tab, path));
        await tab.close();
      }
      const of = (/** @type {'pictureMs' | 'exactMs' | 'openedMs'} */ part) =>
        short(median(first.map((one) => one[part])));
      pictures.push([name, of('pictureMs'), of('exactMs'), of('openedMs')]);
      const tab = await browser.newPage({ bypassCSP: true, viewport: VIEWPORT });
      moved.push(frameRow(name, await frames(tab, server.url, path, seconds)));
      await tab.close();
      const other = await browser.newPage({ bypassCSP: true, viewport: VIEWPORT });
      const over = await hovering(other, server.url, path);
      checks.push(...hoverChecks(name, over));
      const passed = await filtering(other, FILTER);
      await other.close();
      const filterTimes = [passed.firstMs, passed.allMs, passed.passingMs, passed.endedMs].map(short);
      filtered.push([name, /[\d,]+/.exec(passed.found)?.[0] ?? '', ...filterTimes]);
      const { script, layout, paint, other: rest, raster } = over.parts;
      const times = [over.ownMs, over.own99Ms, script, layout, paint, rest, raster, over.bytes / 1000].map(short);
      hovered.push([name, `${over.moves}`, ...times, ...[over.cells, over.commits, over.layouts].map(String)]);
    }
  } finally {
    await browser.close();
    server.close();
  }
  const heads = {
    pictures: ['ms after a file was chosen', 'lanes over the whole time range', 'all exact', 'open, at rest'],
    hovered: [
      ...['a pointer over the lanes', 'moves', 'main thread, ms a frame', 'p99'],
      ...[
        'on average: scripts',
        'style and layout',
        'paint and layers',
        'other',
        "rasteriser's",
        'kB allocated a move',
      ],
      ...['lanes redrawn', 'commits of React', 'forced layouts'],
    ],
    filtered: [
      ...[`ms after the filter \`${FILTER}\` was typed`, 'events that pass', 'first counted', 'all counted'],
      ...['lanes, tables and findings of them', 'of all again, cleared while it works'],
    ],
  };
  const tables = [
    table(heads.pictures, pictures),
    table(frameHead(seconds), moved),
    table(heads.hovered, hovered),
    table(heads.filtered, filtered),
    checkTable(checks),
  ];
  return { text: tables.join('\n\n'), ok: checks.every(holds) };
}

/** @param {string} name @param {import('./frames.mjs').Frames} found */
function frameRow(name, { count, intervalMs, interval95Ms, ownMs, own99Ms, longestOwnMs, parts, rasterMs, ...counts }) {
  const main = [ownMs, own99Ms, longestOwnMs, parts.script, parts.layout, parts.paint, parts.other, parts.raster];
  const times = [intervalMs, interval95Ms, ...main, rasterMs].map(short);
  const { commits, layouts, uploads, uploadedTwice } = counts;
  return [name, `${count}`, ...times, ...[commits, layouts, uploads, uploadedTwice].map(String)];
}

/** @param {number} seconds */
const frameHead = (seconds) => [
  ...[`${seconds} s of zooming and panning`, 'frames', 'between, ms', 'p95'],
  ...['main thread, ms a frame', 'p99', 'longest'],
  ...['on average: scripts', 'style and layout', 'paint and layers', 'other', "rasteriser's"],
  ...["rasteriser's other threads", 'commits of React', 'forced layouts', 'uploads', 'of them in vain'],
];

/**
 * Frames of a trace with calls and interrupts and with the lanes of some tasks: without what the kernel did on any lane, and with
 * it.
 * @param {string} path
 * @param {number} seconds
 * @param {readonly number[]} pids
 */
export async function callFrames(path, seconds, pids) {
  execFileSync(execPath, [join(import.meta.dirname, '../scripts/build.mjs')], { stdio: 'ignore' });
  const server = await servePage();
  const executablePath = chromiumPath();
  const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
  /** @type {string[][]} */
  const rows = [];
  try {
    const first = await browser.newPage({ bypassCSP: true, viewport: VIEWPORT });
    await frames(first, server.url, path, 0);
    // It names the trace, so that the view applies to it.
    const link = `${await first.evaluate('location.hash')}&tasks=${pids.join(',')}`;
    await first.close();
    for (const [name, hidden] of [
      ['runs and states alone', '&hide=calls,irqs'],
      ['with calls and interrupts', ''],
    ]) {
      console.log(`page: ${name}`);
      const tab = await browser.newPage({ bypassCSP: true, viewport: VIEWPORT });
      rows.push(frameRow(name ?? '', await frames(tab, server.url, path, seconds, link + hidden)));
      await tab.close();
    }
  } finally {
    await browser.close();
    server.close();
  }
  return table(frameHead(seconds), rows);
}
