import type { ReactNode } from 'react';
import { Dialog } from '../../components/Dialog';
import { useSession } from '../context';
import { TraceExportForm } from './TraceExportForm';

/** Saves the trace, or a part of it, as a file for other viewers. */
export function TraceExportDialog({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const session = useSession();
  const isOpen = open && session.kind === 'open';
  return (
    <Dialog title="Save trace" open={isOpen} onClose={onClose}>
      {isOpen && <TraceExportForm summary={session.summary} />}
    </Dialog>
  );
}
