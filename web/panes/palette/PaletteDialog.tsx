import type { ReactNode } from 'react';
import { Dialog } from '../../components/Dialog';
import type { PageUi } from '../../page/keys';
import { PaletteForm } from '../later';

interface PaletteDialogProps {
  readonly ui: PageUi;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Finds every action of the page by its words, and what the trace holds by its name. */
export function PaletteDialog({ ui, open, onClose }: PaletteDialogProps): ReactNode {
  return (
    <Dialog title="Actions" open={open} onClose={onClose}>
      {open && <PaletteForm ui={ui} onClose={onClose} />}
    </Dialog>
  );
}
