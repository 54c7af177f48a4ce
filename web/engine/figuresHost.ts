/** The figures workers as the engine worker sees them: what they are given, and what comes back. */
import type { CallsHost } from './callsHost';
import { ModelHost, type ModelWorker } from './modelHost';
import type { Asked, FigureAnswer, FigureQuery, QueryMessage } from './protocol';

export interface FiguresStart {
  /** As `LoadedTrace.model` returns it. */
  readonly model: Uint8Array<ArrayBuffer>;
  /** As `CallsSource.stored` returns it; null for figures without calls and interrupts. */
  readonly calls: Blob | null;
}

export type FiguresWorker = ModelWorker<FiguresStart, FigureQuery, FigureAnswer>;

type Request = { readonly type: 'query' } & Asked<FigureQuery>;

/** Makes figures. The first one with calls or interrupts asks the calls worker for them, and starts a worker that has them. */
export class FiguresHost {
  readonly #calls: Pick<CallsHost, 'stored'>;
  readonly #plain: ModelHost<FiguresStart, FigureQuery, FigureAnswer>;
  readonly #withCalls: ModelHost<FiguresStart, FigureQuery, FigureAnswer>;
  #model: (() => Uint8Array<ArrayBuffer>) | null = null;
  /** Whether a figure needs calls, and whether they are there or asked for. */
  #calling: 'no' | 'wanted' | 'asked' = 'no';

  constructor(
    start: () => FiguresWorker,
    reply: (reply: QueryMessage<FigureAnswer>) => void,
    calls: Pick<CallsHost, 'stored'>,
  ) {
    this.#calls = calls;
    this.#plain = new ModelHost('figures', start, reply);
    this.#withCalls = new ModelHost('figures', start, reply);
  }

  /** The trace is open. */
  open(model: () => Uint8Array<ArrayBuffer>): void {
    this.#model = model;
    this.#plain.open(() => given(model(), null));
    this.#call();
  }

  ask(request: Request): void {
    const { calls, interrupts } = request.query.figure;
    if (!calls && !interrupts) {
      this.#plain.ask(request);
      return;
    }
    this.#withCalls.ask(request);
    if (this.#calling === 'no') this.#calling = 'wanted';
    this.#call();
  }

  #call(): void {
    const model = this.#model;
    if (model === null || this.#calling !== 'wanted') return;
    this.#calling = 'asked';
    this.#calls.stored((stored) => {
      if (stored instanceof Uint8Array) {
        // A blob, which a worker that is started again reads again, and which takes no room on any heap.
        const blob = new Blob([stored]);
        this.#withCalls.open(() => given(model(), blob));
      } else {
        this.#calling = 'no';
        this.#withCalls.stop(stored);
      }
    });
  }
}

const given = (model: Uint8Array<ArrayBuffer>, calls: Blob | null): readonly [FiguresStart, Transferable[]] => [
  { model, calls },
  [model.buffer],
];
