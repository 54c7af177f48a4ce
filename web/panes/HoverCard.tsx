import { type ReactNode, useEffect, useRef } from 'react';
import { cardOf, irqsOf } from '../page/hover/cardLines';
import { clockOf, metadataOf } from '../state/traces';
import { timeOrigin } from '../state/viewState';
import { usePage, useScene, useSession } from './context';
import './hoverCard.css';

/** How long the pointer rests on the same thing before its card appears, in ms. */
const REST = 350;

const LISTENING = { capture: true, passive: true } as const;

interface Pointer {
  readonly x: number;
  readonly y: number;
  readonly pressed: boolean;
}

/**
 * The card beside a pointer that rests on a lane: what is there. It is written into the document without React, and asks
 * for no layout.
 */
export function HoverCard(): ReactNode {
  const page = usePage();
  const scene = useScene();
  const metadata = metadataOf(useSession());
  const card = useRef<HTMLDivElement>(null);
  /** It stays where it is while a trace is opened; null: it has not been seen. */
  const lastPointer = useRef<Pointer | null>(null);
  useEffect(() => {
    const move = ({ clientX: x, clientY: y, buttons }: PointerEvent): void => {
      lastPointer.current = { x, y, pressed: buttons !== 0 };
    };
    window.addEventListener('pointermove', move, LISTENING);
    return () => window.removeEventListener('pointermove', move, LISTENING);
  }, []);
  useEffect(() => {
    const element = card.current;
    if (!element || !metadata) {
      return;
    }
    const clock = clockOf(metadata);
    const { hover, store } = page;
    let timer = 0;
    let shown: unknown = null;
    /** What the card told of last. */
    let told = hover.get();
    /** The user looks elsewhere: at what was selected, or at what the card is over. Until the pointer moves, there is no card. */
    let isElsewhere = false;
    let { selection } = store.getState();
    const hide = (): void => {
      clearTimeout(timer);
      shown = null;
      // Setting what it is already would have the browser look at its style.
      if (!element.hidden) {
        element.hidden = true;
      }
    };
    const show = (): void => {
      told = hover.get();
      const found = cardOf(told, clock, timeOrigin(store.getState(), store.getLimits()));
      const pointer = lastPointer.current;
      if (found === null || pointer === null || pointer.pressed) {
        // Where the pointer is may be known when it moves on along the same thing.
        if (pointer === null) shown = null;
        return;
      }
      const [title, list] = [document.createElement('strong'), document.createElement('ul')];
      title.textContent = found.title;
      list.append(
        ...found.lines.map((line) => {
          const item = document.createElement('li');
          item.textContent = line;
          return item;
        }),
      );
      element.replaceChildren(title, list);
      const colour = found.task && scene.colours.ofRun(store.getState(), found.task.pid, found.task.comm);
      element.style.borderLeftColor = colour ?? '';
      place(pointer);
      element.hidden = false;
    };
    // On the side of the pointer where there is more room; percentages refer to the card's own size.
    const place = ({ x, y }: Pointer): void => {
      const left = x > innerWidth / 2 ? `calc(${x - 14}px - 100%)` : `${x + 14}px`;
      const top = y > innerHeight / 2 ? `calc(${y - 14}px - 100%)` : `${y + 18}px`;
      element.style.transform = `translate(${left}, ${top})`;
    };
    const hovered = (): void => {
      const { cpu, interval, task, state, call, waiting } = hover.get();
      const irqs = irqsOf(hover.get());
      // Places of one handler are one thing.
      const handler = irqs?.onBand ? irqs.stolen.longest : null;
      const what =
        (handler && `${handler.cpu} ${handler.start_ns} ${handler.kind}`) ??
        (call?.task === task ? call : null) ??
        state ??
        (cpu !== null && interval?.cpu === cpu ? interval : null);
      if (isElsewhere || what === null || (cpu === null && task === null)) {
        hide();
      } else if (what !== shown) {
        hide();
        shown = what;
        timer = window.setTimeout(show, REST);
      } else if (!element.hidden && (irqs !== irqsOf(told) || waiting !== told.waiting)) {
        // The same run, elsewhere along it.
        show();
      }
    };
    const leave = (): void => {
      isElsewhere = true;
      hide();
    };
    const viewed = (): void => {
      const before = selection;
      ({ selection } = store.getState());
      if (selection === before) hide();
      else leave();
    };
    const press = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') leave();
    };
    const move = (): void => {
      isElsewhere = false;
      const pointer = lastPointer.current;
      if (pointer === null || pointer.pressed) {
        hide();
      } else if (!element.hidden) {
        place(pointer);
      }
    };
    window.addEventListener('pointermove', move, LISTENING);
    window.addEventListener('pointerdown', hide, LISTENING);
    window.addEventListener('keydown', press, LISTENING);
    const unsubscribe = [hover.subscribe(hovered), store.subscribe(viewed)];
    return () => {
      hide();
      window.removeEventListener('pointermove', move, LISTENING);
      window.removeEventListener('pointerdown', hide, LISTENING);
      window.removeEventListener('keydown', press, LISTENING);
      for (const end of unsubscribe) {
        end();
      }
    };
  }, [page, scene, metadata]);
  // Screen readers get the same from the selection's details.
  return <div ref={card} className="hover-card" aria-hidden="true" hidden />;
}
