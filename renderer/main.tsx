import '@mantine/core/styles.css';
import '@mantine/dates/styles.css';
import '@mantine/notifications/styles.css';
import './app/theme/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { createBrowserLink, createElectronLink, createHost } from './app/client/index.ts';
import { createStores } from './app/stores.ts';
import { applyThemeVariables } from './app/theme/applyTheme.ts';
import { theme } from './app/theme/theme.ts';

applyThemeVariables(theme);
const host = createHost(window.desk ? createElectronLink(window.desk) : createBrowserLink());
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App stores={createStores(host)} />
  </StrictMode>,
);
