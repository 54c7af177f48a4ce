import { type ReactNode, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  /** As wide as the page allows. */
  readonly wide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A modal dialog; the browser's own, which keeps the focus inside, closes on Esc and gives the focus back. It is a child of the
 * body: a toolbar that folds in a narrow window must not hide the dialog that one of its buttons opened.
 */
export function Dialog({ title, open, wide, onClose, children }: DialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) {
      dialog.current?.showModal();
      // React writes no `autofocus`.
      dialog.current?.querySelector<HTMLElement>('[data-focus]')?.focus();
    } else {
      dialog.current?.close();
    }
  }, [open]);
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click outside has its key: Esc.
    <dialog
      ref={dialog}
      className={wide ? 'dialog wide' : 'dialog'}
      aria-label={title}
      // Browsers say `cancel` at once, and `close` some time after they closed the dialog: by then a key may have opened
      // it again, which must neither be lost nor undone.
      onCancel={onClose}
      onClose={() => !dialog.current?.open && onClose()}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="dialog-box">
        <header className="dialog-head">
          <h2>{title}</h2>
          <button type="button" className="button quiet" onClick={onClose}>
            Close
          </button>
        </header>
        {children}
      </div>
    </dialog>,
    document.body,
  );
}
