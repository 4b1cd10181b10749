import { StrictMode } from 'react';
import { App } from './App.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { PrerenderedPath } from './prerendered-path.ts';

/** All that the page's root element holds, the same in the browser and where it is prerendered. */
export function PageRoot({ prerenderedPath }: { prerenderedPath: string }) {
  return (
    <StrictMode>
      <ErrorBoundary>
        <PrerenderedPath value={prerenderedPath}>
          <App />
        </PrerenderedPath>
      </ErrorBoundary>
    </StrictMode>
  );
}
