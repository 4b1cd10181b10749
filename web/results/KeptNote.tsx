import { useEffect, useState } from 'react';
import { keptWords } from './kept-words.ts';

/** Says how old the prices stored on this device are, and offers to search again. */
export function KeptNote({ keptAt, searchAgain }: { keptAt: number; searchAgain: () => void }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="results-kept">
      {navigator.onLine ? 'We couldn’t reach the search service.' : 'You seem to be offline.'} These prices
      are {keptWords(keptAt, Math.max(now, keptAt))}.{' '}
      <button type="button" className="link-button" onClick={searchAgain}>
        Search again
      </button>
    </p>
  );
}
