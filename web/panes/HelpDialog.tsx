import type { ReactNode } from 'react';
import { Dialog } from '../components/Dialog';
import { HelpText } from './later';

/** A dialog with all keys and gestures. */
export function HelpDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title="Keys and gestures" open={open} onClose={onClose}>
      {open && <HelpText />}
    </Dialog>
  );
}
