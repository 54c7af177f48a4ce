/** The colours of the scenes, light and dark. The page's legends use them too. */

export type ThemeName = 'light' | 'dark';

/** The priorities that have a colour of their own. */
export const PRIORITIES = ['deadline', 'RT', 'urgent', 'normal', 'nice', 'unknown'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** CSS colours. */
export interface SceneTheme {
  readonly name: ThemeName;
  /** The background, which also stands for idle. */
  readonly background: string;
  /** Text and what stands out. */
  readonly ink: string;
  /** Axis texts, CPU labels. */
  readonly quiet: string;
  readonly grid: string;
  /** Stripes over what is unknown. */
  readonly hatch: string;
  /** Tasks that are not the target. */
  readonly other: string;
  readonly running: string;
  /** The area below the running line. */
  readonly runningFill: string;
  readonly runnable: string;
  /** Overload: the area between running and runnable. */
  readonly overloadFill: string;
  /** Stretches in which some task waits behind another while some CPU idles. */
  readonly violation: string;
  /** Runs, where colours are by state; and idle time while some task waits behind another. */
  readonly run: string;
  readonly wasted: string;
  /** How busy a CPU is, from hardly to wholly; equally far apart. */
  readonly load: readonly [string, string, ...string[]];
  /** Priorities: deadline, real-time, nice below 0, 0 and above, not known. */
  readonly priority: Readonly<Record<Priority, string>>;
  /** Tasks that wait on a CPU's runqueue: 1, 2-3, 4-7, 8 or more. */
  readonly depth: readonly [string, string, string, string];
  /** Uninterruptible sleep, on task lanes. */
  readonly blocked: string;
  readonly blockedFill: string;
  /** Bands of interrupts on the lanes. */
  readonly hardirq: string;
  readonly softirq: string;
  readonly cpuLine: string;
  readonly selection: string;
  /** The veil over what the overview has outside the window. */
  readonly aside: string;
  /** The veil over what is outside the selected range: colours inside stay as they are. */
  readonly outside: string;
  /** The ground of a task lane's name where keys act on that lane. */
  readonly cursor: string;
  readonly crosshair: string;
  readonly arrow: string;
  /** The arrow of a waker in interrupt context. */
  readonly arrowInterrupt: string;
  /** Flags of marked events, and the text on them. */
  readonly mark: string;
  readonly onMark: string;
  /** Marks of tasks that came from another last-level cache, and from another socket. */
  readonly middling: string;
  readonly far: string;
  /** The marks A and B, and the letters on their tags. */
  readonly timeMark: string;
  readonly onTimeMark: string;
}

/**
 * Green and red as in the paper, but with different lightness too: a bluish green and an orange red stay distinct for
 * deuteranopic and protanopic eyes.
 */
const light: SceneTheme = {
  name: 'light',
  background: '#ffffff',
  ink: '#14181f',
  quiet: '#5b6472',
  grid: '#14181f14',
  hatch: '#c9ced6',
  other: '#23272e',
  running: '#00785a',
  runningFill: '#bfe6d8',
  runnable: '#d6301f',
  overloadFill: '#f4866f',
  violation: '#9c1565',
  run: '#c3cad4',
  wasted: '#d81b84',
  load: ['#fdf0c9', '#f9b64d', '#e4572e', '#a01a3e', '#3d0a33'],
  priority: {
    deadline: '#7a1fa2',
    RT: '#d6301f',
    urgent: '#b36b00',
    normal: '#6f8fb5',
    nice: '#a9d3c5',
    unknown: '#c3cad4',
  },
  depth: ['#f4866f', '#d6301f', '#8f160b', '#4a0905'],
  blocked: '#5f35b0',
  blockedFill: '#c9b6ee',
  hardirq: '#8c0d16',
  softirq: '#e38a00',
  cpuLine: '#14181f',
  selection: '#0b57d0',
  aside: '#e3e7edb8',
  outside: '#ffffff8c',
  cursor: '#0b57d026',
  crosshair: '#14181f99',
  arrow: '#0b57d0',
  arrowInterrupt: '#b3261e',
  mark: '#6b1f9e',
  onMark: '#ffffff',
  middling: '#00695c',
  far: '#b0006d',
  timeMark: '#8a5300',
  onTimeMark: '#ffffff',
};

const dark: SceneTheme = {
  name: 'dark',
  background: '#12151a',
  ink: '#f2f5f9',
  quiet: '#9aa5b4',
  grid: '#f2f5f914',
  hatch: '#3b434e',
  other: '#e3e8ef',
  running: '#3ddbaa',
  runningFill: '#17493c',
  runnable: '#ff7a5c',
  overloadFill: '#a83a26',
  violation: '#ff8fd0',
  run: '#434d5a',
  wasted: '#ff4fae',
  load: ['#2a2440', '#6b2a6b', '#c23f58', '#f2824a', '#fbe08a'],
  priority: {
    deadline: '#d59bff',
    RT: '#ff7a5c',
    urgent: '#f2c16b',
    normal: '#5f83b3',
    nice: '#2f6f62',
    unknown: '#434d5a',
  },
  depth: ['#9c2f1d', '#e2492b', '#ff8163', '#ffab8f'],
  blocked: '#b99aff',
  blockedFill: '#4a3580',
  hardirq: '#ff5c5c',
  softirq: '#ffc04d',
  cpuLine: '#e6ebf2',
  selection: '#8ab4ff',
  aside: '#262c35b8',
  outside: '#12151a8c',
  cursor: '#8ab4ff33',
  crosshair: '#f2f5f999',
  arrow: '#a8c7ff',
  arrowInterrupt: '#ffb4a9',
  mark: '#dcb5ff',
  onMark: '#1b0a2a',
  middling: '#6fe0cf',
  far: '#ff8ad1',
  timeMark: '#f2c16b',
  onTimeMark: '#241800',
};

export const sceneThemes: Readonly<Record<ThemeName, SceneTheme>> = { light, dark };
