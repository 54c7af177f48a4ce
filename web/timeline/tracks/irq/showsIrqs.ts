import type { EngineClient } from '../../../engine/client';
import { callFacts } from '../../../facts/facts';
import { hasInterrupts } from '../../../state/calls';
import type { SceneModel } from '../../frame/sceneModel';

/** Whether lanes show interrupts: the open trace has some, and they are not hidden. `arrived`: called once that is known. */
export function showsIrqs({ trace, view }: SceneModel, engine: EngineClient, arrived: () => void): boolean {
  if (trace?.stage !== 'opened' || view.calls.hidden.includes('irqs')) return false;
  return hasInterrupts(callFacts(engine, arrived));
}
