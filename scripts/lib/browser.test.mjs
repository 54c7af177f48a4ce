import { expect, test } from 'vitest';
import { chromiumPath, ensureBrowser } from './browser.mjs';
import { stubMachine } from './stubMachine.mjs';

const APT =
  'case "$1" in install) /bin/mkdir -p "$STUB_ROOT/usr/bin"; /bin/ln -s /bin/true "$STUB_ROOT/usr/bin/chromium" ;; esac';

test('takes the Chromium of the distribution and installs nothing', () => {
  const { machine, root, calls } = stubMachine({ programs: { '/usr/bin/chromium': '', npx: '' } });
  ensureBrowser(machine);
  expect(chromiumPath(machine)).toBe(`${root}/usr/bin/chromium`);
  expect(calls()).toEqual(['/usr/bin/chromium --version']);
});

test('takes the one that CORELANE_CHROMIUM names', () => {
  const { machine } = stubMachine({
    programs: { '/usr/bin/chromium': '' },
    env: { CORELANE_CHROMIUM: '/opt/chromium' },
  });
  expect(chromiumPath(machine)).toBe('/opt/chromium');
  expect(() => ensureBrowser(machine)).toThrow('/opt/chromium does not start');
});

test('installs the package of Debian as root', () => {
  const { machine, calls, root } = stubMachine({ programs: { 'apt-get': APT, npx: '' }, os: 'debian', asRoot: true });
  ensureBrowser(machine);
  expect(chromiumPath(machine)).toBe(`${root}/usr/bin/chromium`);
  expect(calls()).toEqual([
    'apt-get update -qq',
    'apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core',
  ]);
});

test('elsewhere, has Playwright install its own and tries it', () => {
  const { machine, calls } = stubMachine({ programs: { npx: '', node: '' }, os: 'ubuntu' });
  ensureBrowser(machine);
  expect(chromiumPath(machine)).toBeUndefined();
  expect(calls()[0]).toBe('npx playwright install chromium');
  expect(calls()[1]).toMatch(/^node --eval .*chromium\.launch/);
});

test('installs system libraries only as root', () => {
  const { machine, calls } = stubMachine({
    programs: { npx: '', node: '' },
    files: ['/usr/bin/apt-get'],
    os: 'ubuntu',
    asRoot: true,
  });
  ensureBrowser(machine);
  expect(calls()[0]).toBe('npx playwright install --with-deps chromium');
});

test('says what to do when the browser cannot be downloaded', () => {
  const { machine } = stubMachine({ programs: { npx: 'exit 1' }, os: 'ubuntu' });
  expect(() => ensureBrowser(machine)).toThrow('npx playwright install --with-deps chromium');
});

test('says what to do when the browser does not start', () => {
  const { machine, said } = stubMachine({
    programs: { npx: '', node: 'echo "libnss3.so: cannot open" >&2; exit 1' },
    os: 'debian',
  });
  expect(() => ensureBrowser(machine)).toThrow('sudo apt-get install --no-install-recommends chromium');
  expect(said).toContain('libnss3.so: cannot open');
});
