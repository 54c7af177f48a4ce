/**
 * The Chromium of the end-to-end tests: the distribution's where there is one, otherwise Playwright's own.
 * CORELANE_CHROMIUM names another.
 */
import { aptCommand, aptInstall } from './apt.mjs';
import { Machine, SetupError } from './machine.mjs';

const SYSTEM_CHROMIUM = '/usr/bin/chromium';
/** Without a font, text has no width and screenshots have boxes. */
const DEBIAN_PACKAGES = ['chromium', 'fonts-dejavu-core'];

/**
 * The browser to start, or undefined for Playwright's own.
 * @param {Machine} [machine]
 * @returns {string | undefined}
 */
export function chromiumPath(machine = new Machine()) {
  return machine.env.CORELANE_CHROMIUM || (machine.has(SYSTEM_CHROMIUM) ? machine.path(SYSTEM_CHROMIUM) : undefined);
}

/**
 * Makes sure that there is a Chromium that starts, or throws with what to do by hand.
 * @param {Machine} machine With npm's packages installed.
 */
export function ensureBrowser(machine) {
  if (!chromiumPath(machine) && machine.isDebian && machine.isRoot) {
    aptInstall(machine, DEBIAN_PACKAGES, 'the end-to-end tests');
  }
  const path = chromiumPath(machine);
  if (path) {
    if (machine.capture(path, ['--version']).ok) return;
    throw new SetupError(`${path} does not start; CORELANE_CHROMIUM=/path/to/chromium names another`);
  }
  machine.say("looking for Playwright's Chromium");
  const packages = machine.isRoot && machine.has('/usr/bin/apt-get') ? ['--with-deps'] : [];
  if (!machine.run('npx', ['playwright', 'install', ...packages, 'chromium'])) {
    throw new SetupError('Playwright could not install its Chromium: see above. By hand:', byHand(machine));
  }
  const start = "import('@playwright/test').then(async ({ chromium }) => (await chromium.launch()).close())";
  const started = machine.capture('node', ['--eval', start]);
  if (!started.ok) {
    machine.say(started.err);
    throw new SetupError(
      "Playwright's Chromium does not start, probably for want of system libraries. Run",
      byHand(machine),
    );
  }
}

/** @param {Machine} machine */
function byHand(machine) {
  return machine.isDebian ? [aptCommand(DEBIAN_PACKAGES)] : ['npx playwright install --with-deps chromium'];
}
