import { useEffect } from 'react';
import { useLazyCode } from '../ui/lazy-code.ts';
import { exploreCode } from './explore-code.ts';

/** The page of '/explore'. All but its heading is in a chunk of its own. */
export function ExplorePage() {
  const lazy = useLazyCode(exploreCode);
  useEffect(exploreCode.preload, []);
  // The page for errors offers to reload.
  if (lazy.status === 'failed') throw new Error('The code of Explore could not be loaded');
  return (
    <main className="page is-explore">
      <h1 className="hero">Explore</h1>
      {lazy.status === 'stored' ? <lazy.code.ExploreContent /> : <p role="status">Loading...</p>}
    </main>
  );
}
