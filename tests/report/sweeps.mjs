// @ts-check
// The sweeps whose texts are stored. There are many similar system calls, so the texts leave them out.

/** @type {{of: string, args: string[]}[]} */
export const SWEEPS = [
  { of: 'all-5.10-amd64', seed: 510 },
  { of: 'all-6.1-aarch64', seed: 61 },
  { of: 'all-6.1-i686', seed: 32 },
  { of: 'all-6.1-s390x', seed: 390 },
  { of: 'all-6.12-amd64', seed: 612 },
].map(({ of, seed }) => ({ of, args: ['--records', '2', '--seed', `${seed}`, '--skip', 'syscalls:*'] }));
