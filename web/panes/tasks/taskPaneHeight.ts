/** Heights of the head and above the first lane, in CSS pixels. */
const HEAD = 36;

/** The height that shows all task lanes; at least that of two, so that texts and hints fit. */
export const taskPaneHeight = (lanes: number, pitch: number): number => HEAD + Math.max(2, lanes) * pitch;
