import { useEffect, useState } from 'react';

/** Long enough to announce the outcome of typing and not every step. */
const SETTLED_MS = 400;

/** A polite live region for screen readers, which announces its words once they have settled. */
export function PoliteStatus({ words }: { words: string }) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSaid(words), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <p role="status" className="visually-hidden">
      {said}
    </p>
  );
}
