import { useMemo } from 'react';
import { useObservable } from '../components/useObservable';
import type { CommandRow, Summary } from '../engine/protocol';
import { usePage, useScene, useView } from './context';

/** How many colours fit into a swatch. */
const STRIPES = 4;

/** The CSS background of a command's swatch: the colours in which the lanes show it. */
export function useSwatches(summary: Summary): (row: Pick<CommandRow, 'comm' | 'comm_id'>) => string {
  const scene = useScene();
  const theme = useObservable(usePage().theme);
  const colour = useView((view) => view.colour);
  const target = useView((view) => view.target);
  // Not before they are asked for: there may be hundreds of thousands.
  const pids = useMemo(() => {
    let known: ReturnType<typeof pidsByComm> | null = null;
    return () => {
      known ??= pidsByComm(summary);
      return known;
    };
  }, [summary]);
  // The scene has the theme's colours before any component renders again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other colours come with another theme or trace.
  return useMemo(() => {
    const { colours } = scene;
    return ({ comm, comm_id: commId }) => {
      if (colour === 'command') return colours.ofComm(comm);
      const each = (pids().get(commId) ?? []).map((pid) => colours.ofRun({ colour, target }, pid, comm));
      return stripes([...new Set(each)]);
    };
  }, [scene, summary, theme, colour, target, pids]);
}

/** The first PIDs of every comm. */
function pidsByComm({ tasks }: Summary): ReadonlyMap<number, readonly number[]> {
  const pids = new Map<number, number[]>();
  for (const [task, comm] of tasks.comm.entries()) {
    const known = pids.get(comm) ?? [];
    const pid = tasks.pid[task];
    if (pid !== undefined && known.length < STRIPES && !known.includes(pid)) {
      pids.set(comm, [...known, pid]);
    }
  }
  return pids;
}

/** Colours side by side, with hard edges. */
function stripes(colours: readonly string[]): string {
  if (colours.length <= 1) {
    return colours[0] ?? 'var(--line-strong)';
  }
  const width = 100 / colours.length;
  const stops = colours.map((colour, index) => `${colour} ${index * width}% ${(index + 1) * width}%`);
  return `linear-gradient(90deg, ${stops.join(', ')})`;
}
