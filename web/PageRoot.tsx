import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useState } from 'react';
import { App } from './App.tsx';
import { type PrerenderedBrand, PrerenderedBrandContext } from './brand/prerendered-brand.ts';
import { createQueryClient } from './data/query-client.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { PrerenderedPath } from './ui/use-path.ts';

/** The content of the page's root element, in the browser and in the prerendering build. */
export function PageRoot({ prerenderedPath, brand }: { prerenderedPath: string; brand: PrerenderedBrand }) {
  const [queryClient] = useState(createQueryClient);
  return (
    <StrictMode>
      <ErrorBoundary>
        <PrerenderedPath value={prerenderedPath}>
          <PrerenderedBrandContext value={brand}>
            <QueryClientProvider client={queryClient}>
              <App />
            </QueryClientProvider>
          </PrerenderedBrandContext>
        </PrerenderedPath>
      </ErrorBoundary>
    </StrictMode>
  );
}
