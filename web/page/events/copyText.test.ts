import { expect, it } from 'vitest';
import { copyText } from './copyText';

const trace = {
  name: 'a.dat',
  clock: 'local',
  uname: 'Linux secret 6.1.0-44-amd64 #1 SMP PREEMPT_DYNAMIC Debian x86_64',
};

it('says what the lines are of, and nothing about the machine but its kernel', () => {
  expect(copyText(trace, 'trace-cmd', '', { copied: 2, left: 0 }, 'one\ntwo\n')).toBe(
    '# a.dat, clock local, Linux 6.1.0-44-amd64, trace-cmd report, 2 events\none\ntwo\n',
  );
  const bare = { name: 'a.dat', clock: '', uname: null };
  expect(copyText(bare, 'raw', 'CPUs 1-2', { copied: 1, left: 3000 }, 'one\n')).toBe(
    '# a.dat, trace-cmd report -R, 1 event, only CPUs 1-2\none\n# ... and 3,000 more\n',
  );
  expect(copyText({ ...bare, uname: 'odd' }, 'kernel', '', { copied: 1, left: 0 }, '')).toBe(
    '# a.dat, trace-cmd report -N, 1 event\n',
  );
});
