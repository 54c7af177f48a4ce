import type { ReactNode } from 'react';
import { Dialog } from '../../components/Dialog';
import type { Summary } from '../../engine/protocol';
import { TopologyForm } from '../later';

interface TopologyDialogProps {
  readonly summary: Summary;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks for the machine's topology, and shows how it is understood before it is used. */
export function TopologyDialog({ summary, open, onClose }: TopologyDialogProps): ReactNode {
  return (
    <Dialog title="Topology of the machine" open={open} onClose={onClose}>
      {open && <TopologyForm summary={summary} onClose={onClose} />}
    </Dialog>
  );
}
