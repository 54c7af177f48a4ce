#!/usr/bin/env node
// @ts-check
// What Chromium and Firefox make of figures' SVG, against the PNG of the same figure, which Corelane paints itself:
//
//   node tests/figures/browsers.mjs [--bin target/release/corelane] [--browser NAME] [--keep FOLDER] [NAME]...
//
// A figure that silently lacks a run would mislead, and browsers leave out what has coordinates that are too large for
// them. Without --bin it builds the binary; --keep leaves the pictures in a folder; NAME: only figures whose name holds
// one of these.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../lib/build.mjs';
import { prepared } from './browsers/cases.mjs';
import { compareInk, textMask } from './browsers/ink.mjs';
import { BROWSERS, shoot } from './browsers/shoot.mjs';
import { draw } from './figure.mjs';
import { readPng } from './png.mjs';
import { parse } from './svg.mjs';

/** At this resolution a dot is a pixel wide. */
const DPI = 254;
const SCALE = DPI / 25.4;
/** Figures from which paths are left out. */
const LEAVE_OUT_OF = ['timeline by PID', 'hours'];
/**
 * The share of all colour by which a picture may have too much or too little: where very many runs are narrower than a
 * pixel, browsers let some of the paper show between them.
 */
const INK = 0.02;
/** Of a million comparable pixels, this many may differ: a corner, where lines end. */
const STRAY = 3;
/** How many paths are left out, one at a time, to check that this is found. */
const LEFT_OUT = 12;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { bin: { type: 'string' }, browser: { type: 'string' }, keep: { type: 'string' } },
});
const binary = path.resolve(values.bin ?? build('tracecore-cli', 'corelane'));
const wanted = (/** @type {string} */ name) =>
  positionals.length === 0 || positionals.some((part) => name.includes(part));

/** @typedef {import('./browsers/shoot.mjs').Sheet & {name: string, png: import('./png.mjs').Pixels, window: string, masked: Uint8Array}} Figure */

const opened = Object.entries(BROWSERS)
  .filter(([browser]) => browser === (values.browser ?? browser))
  .map(([browser, open]) => /** @type {const} */ ([open, browser]));
let failed = 0;
let passed = 0;
const { cases, dispose } = prepared();
try {
  /** @type {Figure[]} */
  const figures = [];
  for (const { name, args } of cases.filter(({ name }) => wanted(name))) figures.push(await figure(name, args));
  console.log(`${'figure'.padEnd(26)}${'window'.padStart(12)}  browser   ink SVG/PNG  pixels unlike`);
  for (const [open, browser] of opened) {
    const pictures = await shoot(open, figures);
    for (const [at, figure] of figures.entries()) report(browser, figure, pictures[at]);
  }
  for (const [open] of opened.slice(0, 1)) {
    for (const figure of figures.filter(({ name }) => LEAVE_OUT_OF.includes(name))) await leaveOut(figure, open);
  }
} finally {
  dispose();
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/**
 * @param {string} name
 * @param {string[]} args
 * @returns {Promise<Figure>}
 */
async function figure(name, args) {
  const [svg, file] = await Promise.all([draw(binary, args), draw(binary, [...args, '--dpi', `${DPI}`], 'png')]);
  const png = readPng(file);
  const size = { width: png.width, height: png.height, scale: SCALE };
  const masked = textMask(parse(svg.toString()), size);
  keep(`${name}.svg`, svg);
  keep(`${name}.png`, file);
  return { name, svg, png, masked, window: windowOf(svg.toString()), ...size };
}

/** The length of time that is drawn. @param {string} svg */
function windowOf(svg) {
  const found = /data-start-ns="(\d+)" data-end-ns="(\d+)"/.exec(svg);
  if (!found) return '';
  const ns = Number(BigInt(found[2]) - BigInt(found[1]));
  return ns < 1e6 ? `${ns / 1e3} µs` : ns < 1e9 ? `${(ns / 1e6).toFixed(3)} ms` : `${(ns / 1e9).toFixed(3)} s`;
}

/**
 * @param {string} browser
 * @param {Figure} figure
 * @param {import('./png.mjs').Pixels} picture
 */
function report(browser, { name, window, png, masked }, picture) {
  const comparison = compareInk(png, picture, masked);
  const { ink, compared, lost, first } = comparison;
  const ok = isWhole(comparison);
  const said = `${name.padEnd(26)}${window.padStart(12)}  ${browser.padEnd(10)}${ink.toFixed(4).padStart(9)}`;
  console.log(
    `${ok ? 'ok  ' : 'FAIL'} ${said}${String(lost).padStart(13)} of ${compared}${first ? `, first ${first}` : ''}`,
  );
  if (ok) passed++;
  else failed++;
}

/**
 * Checks that a lost task would be found: leaves one at a time out of the file, among those with something as wide as a
 * dot; what belongs to no task, such as a curve, is left out path by path.
 *
 * @param {Figure} figure
 * @param {import('./browsers/shoot.mjs').Browser} browser
 */
async function leaveOut({ name, svg, png, masked, ...size }, browser) {
  const text = svg.toString();
  const found = text.matchAll(
    /<path class="(?:runs|ticks|state-\w+|running|runnable)"( data-[^>]*?)? fill=.*?(?:\/>|<\/path>)/g,
  );
  /** @type {Map<string, string[]>} */
  const parts = new Map();
  for (const [path, task] of found) parts.set(task ?? path, [...(parts.get(task ?? path) ?? []), path]);
  const dot = Number(/class="ticks".*?h([\d.]+)/.exec(text)?.[1] ?? 0);
  const seen = [...parts.values()].filter((paths) =>
    paths.some(
      (path) => !path.includes('"ticks"') && [...path.matchAll(/h([\d.]+)/g)].some(([, width]) => dot <= +width),
    ),
  );
  const step = Math.max(1, Math.floor(seen.length / LEFT_OUT));
  const chosen = seen.filter((_, at) => at % step === 0);
  const without = chosen.map((paths) => ({
    ...size,
    svg: Buffer.from(paths.reduce((left, path) => left.replace(path, ''), text)),
  }));
  const pictures = await shoot(browser, without);
  const missed = pictures.flatMap((picture, at) =>
    isWhole(compareInk(png, picture, masked)) ? [chosen[at][0].slice(0, 160)] : [],
  );
  const ok = missed.length === 0 && chosen.length > 0;
  const said = `${name}: ${chosen.length} tasks or curves left out, ${missed.length} of them not found to be missing`;
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${said}`);
  for (const one of missed) console.log(`       ${one}`);
  if (ok) passed++;
  else failed++;
}

/** Whether nothing is lost. @param {import('./browsers/ink.mjs').Comparison} comparison */
function isWhole({ ink, compared, lost }) {
  return Math.abs(ink - 1) <= INK && lost <= (compared / 1e6) * STRAY && compared > 0;
}

/** @param {string} name @param {Buffer} file */
function keep(name, file) {
  if (values.keep === undefined) return;
  mkdirSync(values.keep, { recursive: true });
  writeFileSync(path.join(values.keep, name.replaceAll(' ', '-')), file);
}
