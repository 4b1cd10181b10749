import { useEffect } from 'react';
import { useLazyCode } from '../ui/lazy-code.ts';
import { exploreCode } from './explore-code.ts';

/** The page of '/explore'. Everything but its heading is loaded on demand. */
export function ExplorePage() {
  const lazy = useLazyCode(exploreCode);
  useEffect(exploreCode.preload, []);
  return (
    <main className="page is-explore">
      <h1 className="hero">Explore</h1>
      {lazy.status === 'stored' ? (
        <lazy.code.ExploreContent />
      ) : (
        <div className="explore-message">
          <p role="status">{lazy.status === 'failed' ? 'We couldn’t load Explore.' : 'Loading...'}</p>
          {lazy.status === 'failed' && (
            <button type="button" className="button-action" onClick={exploreCode.preload}>
              Try again
            </button>
          )}
        </div>
      )}
    </main>
  );
}
