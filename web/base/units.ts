/** Units as types: a number in one unit cannot be passed where another is expected. */
declare const unit: unique symbol;
type Unit<Name extends string> = number & { readonly [unit]: Name };

/** Nanoseconds since the trace's first event (`Summary.baseNs`): exact in a double for 104 days. */
export type Ns = Unit<'ns'>;
/** CSS pixels. */
export type CssPx = Unit<'css px'>;
/** Device pixels. */
export type DevPx = Unit<'device px'>;

export const ns = (value: number): Ns => value as Ns;
export const cssPx = (value: number): CssPx => value as CssPx;
export const devPx = (value: number): DevPx => value as DevPx;

/** Half-open: `[start, end)`. */
export interface TimeWindow {
  readonly start: Ns;
  readonly end: Ns;
}
