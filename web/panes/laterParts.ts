/** The module that `later.tsx` loads: what is listed here, and what only these import, is in a file of its own. */

export { EventsPane } from './events/EventsPane';
export { FigureForm } from './figure/FigureForm';
export { HelpText } from './HelpText';
export { HoverCard } from './HoverCard';
export { LatencyPane } from './latency/LatencyPane';
export { PaletteForm } from './palette/PaletteForm';
export { RangeDetails } from './RangeDetails';
export { SelectionDetails } from './SelectionDetails';
export { TraceFacts } from './TraceFacts';
