/** Scrolls a box, and no other, so that an element in it is in sight, below the margin that its style asks for. */
export function scrollWithin(box: Element, element: Element): void {
  const [frame, { top, bottom }] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  const above = top - (Number.parseFloat(getComputedStyle(element).scrollMarginTop) || 0) - frame.top;
  const below = bottom - frame.top - box.clientHeight;
  if (above < 0) box.scrollTop += above;
  else if (below > 0) box.scrollTop += Math.min(above, below);
}
