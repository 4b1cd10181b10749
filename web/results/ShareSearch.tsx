import { useState } from 'react';

/** Whether the device's share dialog shared the address, or the visitor cancelled it. */
async function isShared(): Promise<boolean> {
  if (typeof navigator.share !== 'function') return false;
  try {
    await navigator.share({ title: document.title, url: location.href });
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}

/** Shares the address of the search with the device's share dialog, or copies it: a search is a link (ruling 6). */
export function ShareSearch() {
  const [said, setSaid] = useState('');

  async function share() {
    setSaid('');
    if (await isShared()) return;
    try {
      await navigator.clipboard.writeText(location.href);
      setSaid('Link copied.');
    } catch {
      setSaid('We couldn’t copy the link. Copy it from the address bar.');
    }
  }

  return (
    <div className="share-search">
      <button type="button" className="chip-button" onClick={() => void share()}>
        <span>Share</span>
        <span className="share-what"> this search</span>
      </button>
      <span role="status">{said}</span>
    </div>
  );
}
