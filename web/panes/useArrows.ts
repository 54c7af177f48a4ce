import { useEffect } from 'react';
import type { Chain } from '../engine/protocol';
import type { Cascade } from '../engine/protocolExplain';
import { CHAIN_HOPS } from '../state/findings';
import { cascadeArrows, chainArrows } from '../timeline/arrows';
import { chainTaskArrows } from '../timeline/taskArrows';
import { usePage, useScene, useView } from './context';
import { useQuery } from './useQuery';

/** What leads to the selected run and on from it; null while it is not known. */
export interface SelectedWays {
  readonly chain: Chain | null;
  /** null also for a run whose task was not moved there. */
  readonly cascade: Cascade | null;
}

/** The wakeup chain of the selection and its cascade; the lanes show one of them as arrows, whichever tab is open. */
export function useArrows(): SelectedWays {
  const { engine } = usePage();
  const scene = useScene();
  const selection = useView((view) => view.selection);
  const arrows = useView((view) => view.arrows);
  const at = selection && { cpu: selection.cpu, at: selection.start };
  const chain = useQuery(engine, 'chain', at && { type: 'chain', ...at, hops: CHAIN_HOPS }).answer?.chain ?? null;
  const cascade = useQuery(engine, 'cascade', at && { type: 'cascadeOf', ...at }).answer?.cascade ?? null;
  useEffect(
    () =>
      arrows === 'cascade'
        ? scene.showArrows(cascadeArrows(cascade), [])
        : scene.showArrows(chainArrows(chain), chainTaskArrows(chain)),
    [scene, chain, cascade, arrows],
  );
  return { chain, cascade };
}
