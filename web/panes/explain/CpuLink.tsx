import type { ReactNode } from 'react';
import type { Ns } from '../../base/units';
import type { Cpu } from '../../engine/protocol';
import { RunLink } from '../Facts';

/** A CPU's number as a link to what was on it at an instant. */
export function CpuLink({ cpu, at }: { readonly cpu: Cpu; readonly at: Ns }): ReactNode {
  return (
    <RunLink wide cpu={cpu} at={at} title={`Go to what was on CPU ${cpu} then`}>
      {cpu}
    </RunLink>
  );
}
