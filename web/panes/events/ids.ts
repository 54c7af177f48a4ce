/** The id of the list of events, which the page's keys focus. */
export const GRID_ID = 'events-grid';
/** The id of the field for searches, which they focus as well. */
export const SEARCH_ID = 'events-search';
