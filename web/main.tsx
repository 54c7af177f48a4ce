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
    graphics: new URLSearchParams(window.location.search).get('graphics'),
  });
  theme.subscribe(() => scene.setTheme(theme.get()));
  createRoot(root).render(<App page={page} scene={scene} />);
  installTestHook(page, scene);
  const unsubscribe = page.session.subscribe(async () => {
    // While a link waits for an answer nothing else is to be done; and then the worker's policy is to be there.
    const { kind } = page.session.get();
    if (kind !== 'open' && kind !== 'asking') return;
    unsubscribe();
    // What comes after the first picture is not to come before it is seen. A load that fails is told when something of it is to
    // be shown.
    await underWay(scene.idle().then(painted).then(loadLater)).catch(() => undefined);
    // It fetches the rest of the page, which nobody waits for.
    const { keepPage } = await import('./page/offline');
    await keepPage();
  });
  page.start();
}
