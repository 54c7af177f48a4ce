/** The module that `later.tsx` loads: what is listed here, and what only these import, is in a file of its own. */

export { BesideLanes } from './BesideLanes';
export { Commands } from './Commands';
export { ComparePane } from './compare/ComparePane';
export { DiagnosticsList } from './DiagnosticsList';
export { EventsPane } from './events/EventsPane';
export { FigureForm } from './figure/FigureForm';
export { FindingsPane } from './findings/FindingsPane';
export { HelpText } from './HelpText';
export { HoverCard } from './HoverCard';
export { FilterBox } from './hits/FilterBox';
export { InstantPane } from './instant/InstantPane';
export { CpusChoices } from './lanes/CpusChoices';
export { LatencyPane } from './latency/LatencyPane';
export { ContextMenu } from './menu/ContextMenu';
export { PairsPane } from './pairs/PairsPane';
export { PaletteForm } from './palette/PaletteForm';
export { RangeDetails } from './RangeDetails';
export { RelationsPane } from './relations/RelationsPane';
export { SelectionDetails } from './SelectionDetails';
export { ProfileCard } from './staktau/ProfileCard';
export { SyscallsPane } from './syscalls/SyscallsPane';
export { TraceFacts } from './TraceFacts';
export { TaskLanesPane } from './tasks/TaskLanesPane';
export { TasksChoices } from './tasks/TasksChoices';
export { TopologyForm } from './topology/TopologyForm';
