/** Looks for what cannot be read: checks every visible text and control against everything that may cut it off. */
import type { Page } from '@playwright/test';

/**
 * The parts that are cut off, each as `where: text`. What shows an ellipsis, or can be scrolled to, is not cut off;
 * what scrolls has to show that it does, and to be focusable or contain something that is.
 */
export function cutOff(page: Page, within = 'body'): Promise<string[]> {
  return page.evaluate((root) => {
    const SLACK = 1.5;
    const faults = new Set<string>();
    const nameOf = (element: Element): string =>
      `${element.tagName.toLowerCase()}${[...element.classList].map((name) => `.${name}`).join('')}`;
    /** Drawings, which are described elsewhere; visually hidden texts; and rows of a list that slide below its edge. */
    const isLeftOut = (element: Element): boolean =>
      element.closest('[aria-hidden=true], svg, option, .task-keys, .events-port') !== null ||
      (function isHidden(at: Element | null): boolean {
        return at !== null && (getComputedStyle(at).clipPath !== 'none' || isHidden(at.parentElement));
      })(element);

    const check = (element: Element, { left, right, top, bottom }: DOMRect, text: string): void => {
      const open = { x: true, y: true };
      for (let at: Element | null = element; at && (open.x || open.y); at = at.parentElement) {
        const style = getComputedStyle(at);
        const box = at.getBoundingClientRect();
        for (const axis of ['x', 'y'] as const) {
          if (!open[axis]) continue;
          const overflow = axis === 'x' ? style.overflowX : style.overflowY;
          if (overflow === 'visible') continue;
          const isCut =
            axis === 'x'
              ? left < box.left - SLACK || right > box.right + SLACK
              : top < box.top - SLACK || bottom > box.bottom + SLACK;
          if (overflow !== 'hidden' && overflow !== 'clip') open[axis] = false;
          else if (axis === 'x' && style.textOverflow === 'ellipsis') open.x = false;
          else if (isCut) {
            faults.add(`${nameOf(at)} cuts ${axis}: ${text.trim().slice(0, 40)}`);
            open[axis] = false;
          }
        }
        // Dialogs and popovers lie over everything.
        if (at.matches('dialog, [popover]')) break;
        if (style.position === 'fixed') break;
      }
      const isOutside = {
        x: left < -SLACK || right > innerWidth + SLACK,
        y: top < -SLACK || bottom > innerHeight + SLACK,
      };
      if ((open.x && isOutside.x) || (open.y && isOutside.y)) {
        faults.add(`outside the window (${nameOf(element)}): ${text.trim().slice(0, 40)}`);
      }
    };

    for (const element of document.querySelectorAll(`${root} *`)) {
      if (!element.checkVisibility({ visibilityProperty: true }) || isLeftOut(element)) continue;
      const style = getComputedStyle(element);
      for (const node of element.childNodes) {
        if (node.nodeType !== Node.TEXT_NODE || (node.textContent ?? '').trim() === '') continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        check(element, range.getBoundingClientRect(), node.textContent ?? '');
      }
      if (element.matches('button, input, select, textarea, a, summary')) {
        check(element.parentElement ?? element, element.getBoundingClientRect(), nameOf(element));
      }
      const scrolls =
        (/auto|scroll/.test(style.overflowX) && element.scrollWidth > element.clientWidth + SLACK) ||
        (/auto|scroll/.test(style.overflowY) && element.scrollHeight > element.clientHeight + SLACK);
      if (!scrolls) continue;
      if (style.scrollbarWidth === 'none') faults.add(`${nameOf(element)} scrolls without a sign`);
      const stops = 'button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]';
      const isReached =
        element.matches(stops) || element.closest('[role=grid][tabindex="0"]') || element.querySelector(stops);
      if (!isReached) faults.add(`${nameOf(element)} scrolls, but not by keyboard`);
    }
    return [...faults];
  }, within);
}
