import { useEffect } from 'react';
import { useLazyCode } from '../ui/lazy-code.ts';
import { exploreCode } from './explore-code.ts';

/** The page of '/explore'. All but its heading is in a chunk of its own. */
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
          <p role="status">{lazy.status === 'failed' ? 'Explore couldn’t be loaded.' : 'Loading...'}</p>
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
