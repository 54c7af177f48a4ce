import { type ReactNode, type RefObject, useId, useRef } from 'react';
import './popover.css';

interface PopoverProps {
  /** The button's id, for code that presses it. */
  readonly buttonId?: string;
  /** The content of the button. */
  readonly text: ReactNode;
  readonly title: string;
  /** The name of the box that opens. */
  readonly label: string;
  /** Whether the box is as wide as its contents, instead of as wide as a list of choices. */
  readonly narrow?: boolean;
  /** Whether the button is as large as other buttons, instead of fitting into the head of a pane. */
  readonly large?: boolean;
  /** Whether the button stands out, because a choice inside has an effect. */
  readonly isOn?: boolean;
  /** The box, for code that opens it. */
  readonly box?: RefObject<HTMLDivElement | null>;
  readonly onOpen?: () => void;
  readonly children: ReactNode;
}

/** Distance between the button and the box, and to the edges of the window. */
const GAP = 4;
/** The room that a narrow box may need, in CSS pixels. */
const NARROW = 240;

/** A button with a box above or below it; the browser closes it with Esc or a click elsewhere, and gives the focus back. */
export function Popover({
  buttonId,
  text,
  title,
  label,
  large,
  narrow,
  isOn,
  box,
  onOpen,
  children,
}: PopoverProps): ReactNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const place = (element: HTMLElement): void => {
    const around = button.current?.getBoundingClientRect();
    if (!around) {
      return;
    }
    const above = around.top - 2 * GAP;
    const below = innerHeight - around.bottom - 2 * GAP;
    const isAbove = above > below;
    Object.assign(element.style, {
      top: isAbove ? 'auto' : `${around.bottom + GAP}px`,
      bottom: isAbove ? `${innerHeight - around.top + GAP}px` : 'auto',
      maxHeight: `${Math.max(above, below)}px`,
      left: `${Math.max(GAP, Math.min(around.left, innerWidth - (narrow ? NARROW : 340)))}px`,
    });
  };
  return (
    <>
      <button
        ref={button}
        id={buttonId}
        type="button"
        className={`button${large ? '' : ' small'}${isOn ? ' on' : ''}`}
        title={title}
        aria-haspopup="dialog"
        popoverTarget={id}
      >
        {text}
        <span aria-hidden="true">▾</span>
      </button>
      <div
        ref={box}
        id={id}
        popover="auto"
        className={narrow ? 'popover narrow' : 'popover'}
        role="dialog"
        aria-label={label}
        onBeforeToggle={(event) => {
          if (event.newState === 'open') {
            place(event.currentTarget);
            onOpen?.();
          }
        }}
        // React focuses only new elements, and browsers need an attribute that React does not write.
        onToggle={(event) =>
          event.newState === 'open' && event.currentTarget.querySelector<HTMLElement>('[data-focus]')?.focus()
        }
        onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}
      >
        {children}
      </div>
    </>
  );
}
