import { readFileSync } from 'node:fs';
import { hcl } from 'd3-color';
import { describe, expect, it } from 'vitest';
import { colourDistance, type Sight } from './colourDistance';
import { commandColours, familyOf, paletteBytes, pidColour, toRgb, wantsDarkText } from './colours';
import { sceneThemes, type ThemeName } from './theme';

const themes: readonly ThemeName[] = ['light', 'dark'];

/** Distance in CIE L*C*h*, roughly: how different two colours look. */
function distance(a: string, b: string): number {
  const [p, q] = [hcl(a), hcl(b)];
  // White and black have no hue and no chroma.
  const angle = (((p.h || 0) - (q.h || 0)) * Math.PI) / 180;
  const chroma = Math.sqrt(
    Math.max(0, (p.c || 0) ** 2 + (q.c || 0) ** 2 - 2 * (p.c || 0) * (q.c || 0) * Math.cos(angle)),
  );
  return Math.hypot(p.l - q.l, chroma);
}

describe('colours of PIDs', () => {
  it('are the same in every session', () => {
    expect(pidColour(4242, 'light')).toBe(pidColour(4242, 'light'));
    expect([1, 2, 3].map((pid) => pidColour(pid, 'light'))).toMatchInlineSnapshot(`
      [
        "#00c1ed",
        "#735b00",
        "#9864d2",
      ]
    `);
  });

  it.each(themes)('differ between neighbours, also in lightness (%s)', (theme) => {
    for (let pid = 1000; pid < 1200; pid++) {
      const [a, b] = [pidColour(pid, theme), pidColour(pid + 1, theme)];
      expect(distance(a, b)).toBeGreaterThan(30);
      expect(Math.abs(hcl(a).l - hcl(b).l)).toBeGreaterThan(6);
    }
  });

  it.each(themes)('stand out from the background (%s)', (theme) => {
    for (let pid = 1; pid < 300; pid++) {
      expect(distance(pidColour(pid, theme), sceneThemes[theme].background)).toBeGreaterThan(35);
    }
  });
});

describe('colours of commands', () => {
  it('are of one family where kernel threads differ in their CPU', () => {
    expect(['kworker/3:1H', 'kworker/u8:2', 'migration/5', 'ksoftirqd/2', 'rcuop/3'].map(familyOf)).toEqual([
      'kworker',
      'kworker',
      'migration',
      'ksoftirqd',
      'rcuop',
    ]);
    const own = ['ua.C.x', 'rcu_exp_gp_kthr', '123', 'cc1', 'nice-20', 'worker/1', 'jbd2/sda1-8', 'kworker'];
    expect(own.map(familyOf)).toEqual(own);
  });

  /** Commands that run in most traces beside those that matter. */
  const AROUND = [
    'trace-cmd',
    'sleep',
    'bash',
    'rcu_preempt',
    'kworker/0:1',
    'kworker/u8:2',
    'migration/3',
    'ksoftirqd/1',
  ];
  const names = (count: number, name: (i: number) => string): string[] =>
    Array.from({ length: count }, (_, i) => name(i));
  const compared: Readonly<Record<string, readonly string[]>> = {
    'nice values': [-20, -15, -10, -5, -1, 0, 1, 5, 10, 15, 19].map((nice) => `nice${nice}`),
    workers: names(8, (i) => `worker${i + 1}`),
    barriers: names(12, (i) => `barrier-${i + 1}`),
    variants: ['hackbench', 'hackbench-t', 'hackbench-p', 'hackbench-5.10', 'hackbench-6.1', 'hackbench-6.12'],
    sleeps: [1, 5, 10, 20, 50, 100, 200, 500].map((ms) => `sleep${ms}`),
    versions: names(10, (i) => `clang-${10 + i}`),
  };
  const sights: readonly [Sight, number][] = [
    // Patches of a few pixels that do not touch need ten times the least visible distance; colours of maps have as
    // much.
    ['normal', 12],
    // Without red or green, colours differ in only two ways instead of three.
    ['deuteranopia', 7],
    ['protanopia', 7],
  ];
  const least = (colours: readonly string[], sight: Sight): number =>
    Math.min(...colours.flatMap((a, i) => colours.slice(i + 1).map((b) => colourDistance(a, b, sight))));

  describe.each(themes)('tell apart what is compared (%s)', (theme) => {
    it.each(Object.entries(compared))('%s', (_, comms) => {
      const colours = commandColours([...AROUND, ...comms], theme).slice(AROUND.length);
      for (const [sight, distance] of sights) expect(least(colours, sight), sight).toBeGreaterThan(distance);
    });

    it('and twice as many less well', () => {
      const colours = commandColours(
        names(40, (i) => `task${i}`),
        theme,
      );
      expect(least(colours, 'normal')).toBeGreaterThan(6);
    });
  });

  it('do not depend on who ran first, nor on a command that wants another', () => {
    const comms = [...(compared.workers ?? []), 'make', 'cc1', 'ld'];
    const of = (list: readonly string[]) =>
      new Map(commandColours(list, 'light').map((colour, i) => [list[i], colour]));
    const colours = of(comms);
    expect(of([...comms].reverse())).toEqual(new Map([...colours].reverse()));
    const alone = comms.filter((comm) => of([comm]).get(comm) === colours.get(comm));
    expect(alone.length).toBeGreaterThan(comms.length / 2);
  });

  it.each(themes)('stand out from the background (%s)', (theme) => {
    for (const colour of commandColours(
      names(40, (i) => `task${i}`),
      theme,
    )) {
      expect(distance(colour, sceneThemes[theme].background)).toBeGreaterThan(35);
    }
  });

  it('differ for the first commands of a trace', () => {
    const comms = [
      'sleep',
      'ua.C.x',
      'kworker/3:1',
      'ksoftirqd/1',
      'trace-cmd',
      'bash',
      'stress-ng',
      'make',
      'rcu_preempt',
    ];
    for (const theme of themes) expect(new Set(commandColours(comms, theme)).size).toBe(comms.length);
  });

  it('differ a little within a family of nine', () => {
    const comms = Array.from({ length: 9 }, (_, i) => `kworker/${i}`);
    for (const theme of themes) {
      const colours = commandColours(comms, theme);
      const distances = colours.flatMap((a, i) => colours.slice(i + 1).map((b) => distance(a, b)));
      expect(Math.min(...distances)).toBeGreaterThan(4);
    }
  });

  it('have one for every comm, however many there are', () => {
    const comms = Array.from({ length: 500 }, (_, i) => `cmd-${String.fromCharCode(97 + (i % 26))}${i}x`);
    expect(commandColours(comms, 'dark').every((colour) => /^#[0-9a-f]{6}$/.test(colour))).toBe(true);
  });
});

describe('the distance of colours', () => {
  it('is that of lightness between greys, and none between equal colours', () => {
    expect(colourDistance('#123456', '#123456')).toBe(0);
    // The colours have L* 53.19 and 53.97; where lightness is 53.6, a difference counts for 1 / 1.033 of itself.
    expect(colourDistance('#7f7f7f', '#818181')).toBeCloseTo(0.755, 2);
  });
});

describe('facts that figures share', () => {
  const lines = readFileSync(new URL('../../../tests/colours.txt', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => /^(pid|command) (#[0-9a-f]{6}) (.*)$/.exec(line)?.slice(1) ?? []);
  const facts = (kind: string) =>
    lines.filter((line) => line[0] === kind).map(([, colour, name]) => [name ?? '', colour] as const);

  it('hold for PIDs', () => {
    expect(facts('pid').length).toBeGreaterThan(100);
    for (const [pid, colour] of facts('pid')) expect([pid, pidColour(Number(pid), 'light')]).toEqual([pid, colour]);
  });

  it('hold for commands', () => {
    const commands = facts('command');
    expect(commands.length).toBeGreaterThan(50);
    expect(
      commandColours(
        commands.map(([comm]) => comm),
        'light',
      ),
    ).toEqual(commands.map(([, colour]) => colour));
  });
});

describe('palettes', () => {
  it('are RGBA bytes by key', () => {
    expect([...paletteBytes(['#ff0000', '#00ff80'])]).toEqual([255, 0, 0, 255, 0, 255, 128, 255]);
    expect(toRgb('#ff0000')).toEqual([1, 0, 0]);
  });

  it('take the text that reads better', () => {
    expect([wantsDarkText('#ffff00'), wantsDarkText('#000080')]).toEqual([true, false]);
  });
});
