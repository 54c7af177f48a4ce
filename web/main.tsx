import { createRoot } from 'react-dom/client';
import { App } from './App';
import { painted, underWay } from './base/rest';
import { ns } from './base/units';
import { EngineClient, prepareEngine } from './engine/client';
import { FIRST_TRACE } from './engine/protocolTracks';
import { goToOverload } from './page/findings/goToOverload';
import { Page } from './page/page';
import { loadLater } from './panes/later';
import { createTheme } from './state/theme';
import type { Session } from './state/traces';
import { installTestHook } from './testHook';
import { Scene } from './timeline/scene';
import './theme.css';

prepareEngine();
const root = document.getElementById('root');
if (root) {
  const engine = new EngineClient();
  const theme = createTheme(document.documentElement);
  const page = new Page(engine, theme, window);
  const scene = new Scene({
    first: {
      id: FIRST_TRACE,
      engine,
      session: page.session,
      offset: ns(0),
      topology: page.machine.topology,
      selected: page.selected,
      goToOverload: (around) => void goToOverload(page, around),
    },
    store: page.store,
    hover: page.hover,
    theme: theme.get(),
    announce: (text) => page.announce(text),
    graphics: new URLSearchParams(window.location.search).get('graphics'),
  });
  theme.subscribe(() => scene.setTheme(theme.get()));
  createRoot(root).render(<App page={page} scene={scene} />);
  installTestHook(page, scene);
  /** Resolves once the session is one of those that `isReached` accepts. */
  const reached = (isReached: (session: Session) => boolean): Promise<void> =>
    new Promise((resolve) => {
      const unsubscribe = page.session.subscribe(() => {
        if (!isReached(page.session.get())) return;
        unsubscribe();
        resolve();
      });
    });
  // While a link waits for an answer nothing else is to be done.
  const isAtRest = ({ kind }: Session): boolean => kind === 'open' || kind === 'asking';
  const rests = reached(isAtRest);
  // What comes after the first picture, which may be a preview, is not to come before it is seen. A load that fails is reported
  // when something of it is to be shown.
  void reached((session) => isAtRest(session) || (session.kind === 'loading' && session.preview !== null))
    .then(() => underWay(scene.idle().then(painted).then(loadLater)))
    .catch(() => undefined)
    .then(() => rests)
    // The worker's policy is to be there before it; it fetches the rest of the page, which no other part waits for.
    .then(async () => (await import('./page/offline')).keepPage());
  page.start();
}
