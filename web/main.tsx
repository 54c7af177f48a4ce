import { createRoot } from 'react-dom/client';
import { App } from './App';
import { EngineClient } from './engine/client';
import { Page } from './page/page';
import { createTheme } from './state/theme';
import { installTestHook } from './testHook';
import { Scene } from './timeline/scene';
import './theme.css';

const root = document.getElementById('root');
if (root) {
  const engine = new EngineClient();
  const theme = createTheme(document.documentElement);
  const page = new Page(engine, theme, window);
  const scene = new Scene({
    engine,
    session: page.session,
    store: page.store,
    hover: page.hover,
    theme: theme.get(),
    topology: page.machine.topology,
    selected: page.selected,
    graphics: new URLSearchParams(window.location.search).get('graphics'),
  });
  theme.subscribe(() => scene.setTheme(theme.get()));
  createRoot(root).render(<App page={page} scene={scene} />);
  installTestHook(page, scene);
  page.start();
}
