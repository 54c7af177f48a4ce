/**
 * Sets the text of an element that holds nothing else. One that stays costs nothing; another one keeps its node, so that the browser
 * lays out a line and builds nothing anew.
 */
export function setText(element: Element | null, text: string): void {
  if (element === null) return;
  const node = element.firstChild;
  if (!(node instanceof Text)) element.textContent = text;
  else if (node.data !== text) node.data = text;
}
