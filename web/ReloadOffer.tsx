import { useEffect, useState } from 'react';
import { readSession, writeSession } from './ui/session-storage.ts';

/** This build of the page: its bundle's URL contains a hash. */
const BUILD = import.meta.url;

const KEY = 'skylark.reloaded-from';

/**
 * Offers a reload when part of the page fails to load, as after a deploy. It is not offered again if the reload brings
 * the same build.
 */
export function ReloadOffer() {
  const [isOffered, setOffered] = useState(false);
  useEffect(() => {
    const offer = () => setOffered(readSession(KEY) !== BUILD);
    addEventListener('vite:preloadError', offer);
    return () => removeEventListener('vite:preloadError', offer);
  }, []);
  if (!isOffered) return null;
  return (
    <div className="reload-offer" role="alert">
      <p>Part of this page couldn’t be loaded. We may have updated the page since you opened it.</p>
      <button
        type="button"
        className="button-quiet"
        onClick={() => {
          writeSession(KEY, BUILD);
          location.reload();
        }}
      >
        Reload the page
      </button>
    </div>
  );
}
