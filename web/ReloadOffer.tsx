import { useEffect, useState } from 'react';
import { readSession, writeSession } from './ui/session-storage.ts';

/** This build of the page: the address of its bundle has a hash. */
const BUILD = import.meta.url;

const KEY = 'skylark.reloaded-from';

/**
 * Offers to reload when a part of the page could not be loaded: after a deploy the parts of the old build are gone. A
 * reload that brings the same build again did not help, so it is not offered twice.
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
