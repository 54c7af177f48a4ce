/**
 * The browsers of the tests: the distribution's if there are any, otherwise Playwright's own. CORELANE_CHROMIUM and
 * CORELANE_FIREFOX name others.
 */
import { aptCommand, aptInstall } from './apt.mjs';
import { Machine, SetupError } from './machine.mjs';

/**
 * @typedef {object} Browser
 * @property {string} name
 * @property {'chromium' | 'firefox'} type Playwright's name for it.
 * @property {string} system The path where Debian has it.
 * @property {string} variable The environment variable that names another.
 * @property {string} start Playwright's part that starts it.
 */

/** @type {Browser} */
const CHROMIUM = {
  name: 'Chromium',
  type: 'chromium',
  system: '/usr/bin/chromium',
  variable: 'CORELANE_CHROMIUM',
  start: "import('@playwright/test').then(async ({ chromium }) => (await chromium.launch()).close())",
};
/** @type {Browser} */
const FIREFOX = {
  name: 'Firefox',
  type: 'firefox',
  system: '/usr/bin/firefox-esr',
  variable: 'CORELANE_FIREFOX',
  start: "import('@playwright/test').then(async ({ firefox }) => (await firefox.launch()).close())",
};
/** The packages include fonts: without one, text has no width and screenshots show boxes. */
const DEBIAN_PACKAGES = ['chromium', 'firefox-esr', 'fonts-dejavu-core'];

/**
 * @param {Browser} browser
 * @param {Machine} machine
 */
function pathOf({ system, variable }, machine) {
  return machine.env[variable] || (machine.has(system) ? machine.path(system) : undefined);
}

/**
 * The Chromium to start, or undefined for Playwright's own.
 * @param {Machine} [machine]
 * @returns {string | undefined}
 */
export const chromiumPath = (machine = new Machine()) => pathOf(CHROMIUM, machine);

/**
 * The Firefox to start, or undefined for Playwright's own.
 * @param {Machine} [machine]
 * @returns {string | undefined}
 */
export const firefoxPath = (machine = new Machine()) => pathOf(FIREFOX, machine);

/**
 * Makes sure that there are a Chromium and a Firefox that start; otherwise throws, with what to do by hand.
 * @param {Machine} machine With npm's packages installed.
 */
export function ensureBrowsers(machine) {
  const all = [CHROMIUM, FIREFOX];
  if (all.some((browser) => !pathOf(browser, machine)) && machine.isDebian && machine.isRoot) {
    aptInstall(machine, DEBIAN_PACKAGES, 'the tests in browsers');
  }
  for (const browser of all) ensure(machine, browser);
}

/**
 * @param {Machine} machine
 * @param {Browser} browser
 */
function ensure(machine, browser) {
  const { name, type, variable, start } = browser;
  const path = pathOf(browser, machine);
  if (path) {
    if (machine.capture(path, ['--version']).ok) return;
    throw new SetupError(`${path} does not start; ${variable}=/path/to/${type} names another`);
  }
  machine.say(`looking for Playwright's ${name}`);
  const packages = machine.isRoot && machine.has('/usr/bin/apt-get') ? ['--with-deps'] : [];
  if (!machine.run('npx', ['playwright', 'install', ...packages, type])) {
    throw new SetupError(`Playwright could not install its ${name}: see above. By hand:`, byHand(machine, type));
  }
  const started = machine.capture('node', ['--eval', start]);
  if (!started.ok) {
    machine.say(started.err);
    throw new SetupError(
      `Playwright's ${name} does not start, probably for want of system libraries. Run`,
      byHand(machine, type),
    );
  }
}

/**
 * @param {Machine} machine
 * @param {string} type
 */
function byHand(machine, type) {
  return machine.isDebian ? [aptCommand(DEBIAN_PACKAGES)] : [`npx playwright install --with-deps ${type}`];
}
