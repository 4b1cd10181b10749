import { useEffect } from 'react';
import { lazyCode, useLazyCode } from '../ui/lazy-code.ts';
import { RetryMessage } from '../ui/RetryMessage.tsx';

const resultsMapCode = lazyCode('map', () => import('./ResultsMap.tsx'));

/** The map of the results, loaded when opened. */
export function LazyMap() {
  const lazy = useLazyCode(resultsMapCode);
  useEffect(resultsMapCode.preload, []);
  return (
    <div className="results-map">
      {lazy.status === 'stored' && <lazy.code.ResultsMap />}
      {lazy.status === 'failed' && (
        <RetryMessage words="We couldn’t load the map." onRetry={resultsMapCode.preload} />
      )}
    </div>
  );
}
