import { expect, test } from 'vitest';
import { chromiumPath, ensureBrowsers, firefoxPath } from './browser.mjs';
import { stubMachine } from './stubMachine.mjs';

const APT =
  'case "$1" in install) /bin/mkdir -p "$STUB_ROOT/usr/bin"; for one in chromium firefox-esr; do ' +
  '/bin/ln -sf /bin/true "$STUB_ROOT/usr/bin/$one"; done ;; esac';
const BOTH = { '/usr/bin/chromium': '', '/usr/bin/firefox-esr': '' };
const INSTALL = [
  'apt-get update -qq',
  'apt-get install -y -qq --no-install-recommends chromium firefox-esr fonts-dejavu-core',
];

test('takes the browsers of the distribution and installs nothing', () => {
  const { machine, root, calls } = stubMachine({ programs: { ...BOTH, npx: '' } });
  ensureBrowsers(machine);
  expect(chromiumPath(machine)).toBe(`${root}/usr/bin/chromium`);
  expect(firefoxPath(machine)).toBe(`${root}/usr/bin/firefox-esr`);
  expect(calls()).toEqual(['/usr/bin/chromium --version', '/usr/bin/firefox-esr --version']);
});

test.each([
  ['CORELANE_CHROMIUM', chromiumPath],
  ['CORELANE_FIREFOX', firefoxPath],
])('takes the one that %s names', (variable, pathOf) => {
  const { machine } = stubMachine({ programs: BOTH, env: { [variable]: '/opt/browser' } });
  expect(pathOf(machine)).toBe('/opt/browser');
  expect(() => ensureBrowsers(machine)).toThrow(`/opt/browser does not start; ${variable}=`);
});

test.each([
  ['neither', {}],
  ['no Firefox', { '/usr/bin/chromium': '' }],
])('installs the packages of Debian as root where there is %s', (_, programs) => {
  const { machine, calls, root } = stubMachine({
    programs: { ...programs, 'apt-get': APT, npx: '' },
    os: 'debian',
    asRoot: true,
  });
  ensureBrowsers(machine);
  expect(chromiumPath(machine)).toBe(`${root}/usr/bin/chromium`);
  expect(firefoxPath(machine)).toBe(`${root}/usr/bin/firefox-esr`);
  expect(calls()).toEqual(INSTALL);
});

test('elsewhere, has Playwright install its own and tries them', () => {
  const { machine, calls } = stubMachine({ programs: { npx: '', node: '' }, os: 'ubuntu' });
  ensureBrowsers(machine);
  expect(chromiumPath(machine)).toBeUndefined();
  expect(firefoxPath(machine)).toBeUndefined();
  const [first, second, third, fourth] = calls();
  expect([first, third]).toEqual(['npx playwright install chromium', 'npx playwright install firefox']);
  expect(second).toMatch(/^node --eval .*chromium\.launch/);
  expect(fourth).toMatch(/^node --eval .*firefox\.launch/);
});

test('has Playwright install the one that is missing only', () => {
  const { machine, calls } = stubMachine({
    programs: { '/usr/bin/chromium': '', npx: '', node: '' },
    files: ['/usr/bin/apt-get'],
    os: 'ubuntu',
    asRoot: true,
  });
  ensureBrowsers(machine);
  // System libraries are only installed as root.
  expect(calls().slice(0, 2)).toEqual(['/usr/bin/chromium --version', 'npx playwright install --with-deps firefox']);
});

test('says what to do when a browser cannot be downloaded', () => {
  const { machine } = stubMachine({ programs: { npx: 'exit 1' }, os: 'ubuntu' });
  expect(() => ensureBrowsers(machine)).toThrow('npx playwright install --with-deps chromium');
  const chromium = stubMachine({ programs: { '/usr/bin/chromium': '', npx: 'exit 1' }, os: 'ubuntu' });
  expect(() => ensureBrowsers(chromium.machine)).toThrow('npx playwright install --with-deps firefox');
});

test('says what to do when a browser does not start', () => {
  const { machine, said } = stubMachine({
    programs: { npx: '', node: 'echo "libnss3.so: cannot open" >&2; exit 1' },
    os: 'debian',
  });
  expect(() => ensureBrowsers(machine)).toThrow('sudo apt-get install --no-install-recommends chromium');
  expect(() => ensureBrowsers(machine)).toThrow(/apt-get install .* firefox-esr/);
  expect(said).toContain('libnss3.so: cannot open');
});
