/** The view's counter as a line on the lane of each CPU that has values. */
import { counterOf } from '../../../facts/counters';
import { tilesPainter, type WantedTiles } from '../tilesPainter';
import { CounterBrush, type CounterValues, counterTiles, type KnownCounter, wantedCounter } from './counterBrush';

type Wanted = WantedTiles<'counter'> & KnownCounter;

export const counterLane = tilesPainter<'counter', CounterValues, Wanted>((engine, ask) => ({
  tiles: counterTiles('counter'),
  dispose: counterOf(engine, 'cpu').state.subscribe(ask),
  wanted: (model) => {
    const known = wantedCounter(engine, 'cpu', model);
    return known && { ...known, variant: known.counter };
  },
  place: (layout, lane, gap, pixelRatio) => {
    const pitch = layout.pitch * pixelRatio;
    const height = Math.max(1, Math.round(pitch - gap));
    return { top: Math.round(layout.top * pixelRatio + lane * pitch), height, rows: height };
  },
  brush: ({ parts, scale, model }, { info }) => {
    const brush = new CounterBrush(scale.width, info, model);
    return { row: (lane, out) => brush.paint(parts, lane, out) };
  },
}));
