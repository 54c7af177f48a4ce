import { type ReactNode, useState } from 'react';
import { Dialog } from '../../components/Dialog';
import { firstChoice } from '../../state/figureChoice';
import { useSession } from '../context';
import { FigureForm } from '../later';

/** Exports what the page shows as a figure for a paper or a mail. The choices are kept for the next one. */
export function FigureDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }): ReactNode {
  const session = useSession();
  const [choice, setChoice] = useState(firstChoice);
  const isOpen = open && session.kind === 'open';
  return (
    <Dialog title="Export figure" wide open={isOpen} onClose={onClose}>
      {isOpen && <FigureForm summary={session.summary} choice={choice} onChange={setChoice} />}
    </Dialog>
  );
}
