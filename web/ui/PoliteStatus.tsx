import { useEffect, useState } from 'react';

/** Long enough that someone who types hears the outcome and not every step to it. */
const SETTLED_MS = 400;

/** Words for screen readers alone, said once they have settled and nothing else is being said. */
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
