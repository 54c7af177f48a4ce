import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { FIRST_TRACE } from '../../engine/protocolTracks';
import { type MenuGroup, type MenuPlace, menuOf } from '../../page/menu/entries';
import type { Page } from '../../page/page';
import { presentInterval } from '../../state/selectedRun';
import { GUTTER } from '../../timeline/frame/plotFrame';
import { CLICK_SLOP } from '../../timeline/input/gestures';
import type { Scene } from '../../timeline/scene';
import { usePage, useScene } from '../context';
import './contextMenu.css';

/** Distance to the edges of the window, in CSS pixels. */
const EDGE = 8;

/**
 * The menu of lanes, labels, strips and curves: at the pointer with its right button, or, with the menu key, at the selected
 * run.
 */
export function ContextMenu(): ReactNode {
  const page = usePage();
  const scene = useScene();
  const box = useRef<HTMLDivElement>(null);
  const [groups, setGroups] = useState<readonly MenuGroup[]>([]);
  useEffect(() => {
    const open = (event: MouseEvent): void => {
      const session = page.session.get();
      const element = event.target instanceof Element ? event.target : null;
      const pane = element?.closest('.time-panes .lanes, .time-panes .scene, .time-panes .overview') ?? null;
      // The menu key has no pointer: it is about the selected run. Ctrl with a click asks for a menu, too.
      const hasKeys = element === document.body || (element === document.activeElement && element === pane);
      const isKey = event.type === 'contextmenu' && event.button !== 2 && !event.ctrlKey && hasKeys;
      if (session.kind !== 'open' || (pane === null && !isKey) || !box.current) return;
      event.preventDefault();
      const place = pane === null || isKey ? selectedPlace(page) : placeAt(page, scene, pane, event);
      setGroups(menuOf(page, session.summary, place));
      const { style } = box.current;
      const [x, y] = isKey ? [innerWidth / 3, innerHeight / 3] : [event.clientX, event.clientY];
      // On the side where there is more room.
      Object.assign(style, {
        left: x > innerWidth / 2 ? 'auto' : `${x}px`,
        right: x > innerWidth / 2 ? `${innerWidth - x}px` : 'auto',
        top: y > innerHeight / 2 ? 'auto' : `${y}px`,
        bottom: y > innerHeight / 2 ? `${innerHeight - y}px` : 'auto',
        maxHeight: `${Math.max(y, innerHeight - y) - EDGE}px`,
      });
      const show = (): void => box.current?.showPopover();
      // Where the press asks for the menu, the release would dismiss it again.
      if (event.buttons === 0) show();
      else window.addEventListener('pointerup', () => setTimeout(show), { once: true });
    };
    // A press on a label may also begin to scroll the lanes.
    let pressed: PointerEvent | null = null;
    const press = (event: PointerEvent): void => {
      pressed = event;
    };
    const click = (event: MouseEvent): void => {
      const moved = pressed && Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY);
      const pane = event.target instanceof Element ? event.target.closest('.time-panes .lanes') : null;
      const isLabel = pane !== null && event.clientX - pane.getBoundingClientRect().left < GUTTER;
      if (event.button === 0 && isLabel && moved !== null && moved < CLICK_SLOP) open(event);
    };
    window.addEventListener('contextmenu', open);
    window.addEventListener('pointerdown', press);
    window.addEventListener('click', click);
    return () => {
      window.removeEventListener('contextmenu', open);
      window.removeEventListener('pointerdown', press);
      window.removeEventListener('click', click);
    };
  }, [page, scene]);
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    event.stopPropagation();
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')];
    const present = items.indexOf(document.activeElement as HTMLElement);
    items[(present + step + items.length) % items.length]?.focus();
  };
  return (
    <div
      ref={box}
      popover="auto"
      className="popover context-menu"
      role="menu"
      tabIndex={-1}
      aria-label="What can be done here"
      onToggle={(event) =>
        event.newState === 'open' && event.currentTarget.querySelector<HTMLElement>('[role="menuitem"]')?.focus()
      }
      onKeyDown={move}
    >
      {groups.map(({ about, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
        <div key={about} role="group" aria-label={about} className="menu-actions">
          <div className="menu-about muted" aria-hidden="true">
            {about}
          </div>
          {entries.map(({ text, keys, run }) => (
            <button
              key={text}
              type="button"
              role="menuitem"
              className="menu-action"
              onClick={() => {
                box.current?.hidePopover();
                run();
              }}
            >
              <span>{text}</span>
              <span className="muted menu-keys">{keys}</span>
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

/** What is below the pointer; left of the lanes it is their label. */
function placeAt(page: Page, scene: Scene, pane: Element, event: MouseEvent): MenuPlace {
  const { at, cpu, interval, trace } = page.hover.get();
  // Runs, tasks and CPUs of the view are those of the first trace; instants are of all.
  if (trace !== FIRST_TRACE) return { at, cpu: null, interval: null };
  if (cpu !== null) return { at, cpu, interval: interval?.cpu === cpu ? interval : null };
  if (at !== null || !pane.matches('.lanes')) return { at, cpu: null, interval: null };
  const y = event.clientY - pane.getBoundingClientRect().top;
  const lane = scene.drawState().lanes.find(({ top, height }) => y >= top && y < top + height);
  return { at: null, cpu: lane?.cpu ?? null, interval: null };
}

function selectedPlace(page: Page): MenuPlace {
  const { selection } = page.store.getState();
  const interval = presentInterval(page.selected.get());
  return { at: selection?.start ?? null, cpu: selection?.cpu ?? null, interval };
}
