/** The filter's field, for the key that leads there. */
export const FILTER_ID = 'filter';
