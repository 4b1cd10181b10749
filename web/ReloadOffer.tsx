import { useEffect, useState } from 'react';
import { PART_FAILED } from './ui/lazy-part.tsx';

/** Offers a reload when part of the page cannot be loaded, as after a deploy or on a bad network. */
export function ReloadOffer() {
  const [isOffered, setOffered] = useState(false);
  useEffect(() => {
    const offer = () => setOffered(true);
    addEventListener(PART_FAILED, offer);
    return () => removeEventListener(PART_FAILED, offer);
  }, []);
  if (!isOffered) return null;
  return (
    <div className="reload-offer" role="alert">
      <p>Part of this page couldn’t be loaded. Check your connection, then reload the page.</p>
      <button type="button" className="button-quiet" onClick={() => location.reload()}>
        Reload the page
      </button>
    </div>
  );
}
