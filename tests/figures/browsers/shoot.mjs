// @ts-check
// Pictures of SVG files as a browser draws them: all on one page, in one process.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, firefox } from '@playwright/test';
import { chromiumPath, firefoxPath } from '../../../scripts/lib/browser.mjs';
import { cut, readPng } from '../png.mjs';

/** @typedef {import('../png.mjs').Pixels} Pixels */
/** @typedef {{svg: Buffer, width: number, height: number, scale: number}} Sheet pixels, and pixels of a mm */
/** @typedef {(page: string, size: {width: number, height: number}) => Promise<Buffer>} Browser a PNG of a page's file */

/** Pixels between figures. */
const GAP = 8;
/** The greatest height of a page in pixels: beyond 16384 Chromium repeats itself. */
const MOST_HEIGHT = 16_000;

/** @type {Record<'Chromium' | 'Firefox', Browser>} */
export const BROWSERS = {
  Chromium: (page, size) => throughPlaywright(chromium, chromiumPath(), page, size),
  // A distribution's Firefox takes screenshots by itself, and needs no Playwright for it.
  Firefox: async (page, size) => {
    const program = firefoxPath();
    return program === undefined ? throughPlaywright(firefox, undefined, page, size) : byItself(program, page, size);
  },
};

/**
 * Each figure as the browser draws it.
 *
 * @param {Browser} browser
 * @param {Sheet[]} sheets
 * @returns {Promise<Pixels[]>}
 */
export async function shoot(browser, sheets) {
  const folder = mkdtempSync(path.join(tmpdir(), 'corelane-browser-'));
  try {
    /** @type {Pixels[]} */
    const found = [];
    for (let rest = sheets; rest.length > 0; rest = sheets.slice(found.length)) {
      let bottom = 0;
      const tops = rest.map(({ height }) => {
        const top = bottom;
        bottom += height + GAP;
        return top;
      });
      const first = tops.findIndex((top, at) => at > 0 && top + rest[at].height > MOST_HEIGHT);
      const some = rest.slice(0, first < 0 ? rest.length : first);
      const images = some.map(({ svg, width, height, scale }, at) => {
        const name = `${found.length + at}.svg`;
        writeFileSync(path.join(folder, name), svg);
        const mm = Number(/ width="([\d.]+)mm"/.exec(svg.toString('utf8', 0, 1000))?.[1]);
        // There are as many pixels per mm as in the PNG; what lies beyond the PNG's last pixel is cut off.
        return `<div style="top:${tops[at]}px;width:${width}px;height:${height}px">
          <img src="${name}" alt="" style="width:${mm * scale}px"></div>`;
      });
      const size = {
        width: Math.max(...some.map(({ width }) => width)),
        height: tops[some.length - 1] + some[some.length - 1].height,
      };
      const page = path.join(folder, 'page.html');
      writeFileSync(
        page,
        `<!doctype html><meta charset="utf-8"><style>body{margin:0;height:${size.height}px;background:#fff}
        div{position:absolute;left:0;overflow:hidden}img{display:block}</style>${images.join('\n')}`,
      );
      const all = readPng(await browser(pathToFileURL(page).href, size));
      found.push(...some.map(({ width, height }, at) => cut(all, { top: tops[at], width, height })));
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {import('@playwright/test').BrowserType} type
 * @param {string | undefined} executablePath
 * @param {string} page
 * @param {{width: number, height: number}} viewport
 */
async function throughPlaywright(type, executablePath, page, viewport) {
  const browser = await type.launch(executablePath === undefined ? {} : { executablePath });
  try {
    const shown = await browser.newPage({ viewport: { ...viewport, height: 800 }, deviceScaleFactor: 1 });
    await shown.goto(page);
    return await shown.screenshot({ fullPage: true, timeout: 120_000 });
  } finally {
    await browser.close();
  }
}

/**
 * @param {string} program
 * @param {string} page
 * @param {{width: number}} size
 */
function byItself(program, page, { width }) {
  const profile = mkdtempSync(path.join(tmpdir(), 'corelane-firefox-'));
  try {
    const picture = path.join(profile, 'picture.png');
    // Without a height, the screenshot covers the whole page.
    const args = ['--headless', '--no-remote', '--profile', profile, `--window-size=${width}`, '--screenshot', picture];
    execFileSync(program, [...args, page], { stdio: 'ignore', timeout: 180_000 });
    return readFileSync(picture);
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
}
