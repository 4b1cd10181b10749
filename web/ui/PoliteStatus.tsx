import { useEffect, useState } from 'react';

/** Long enough to announce the outcome of typing, not each key. */
const SETTLED_MS = 400;

/** A polite live region that announces its words once they stop changing. */
export function PoliteStatus({ words }: { words: string }) {
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(words), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <p role="status" className="visually-hidden">
      {announced}
    </p>
  );
}
