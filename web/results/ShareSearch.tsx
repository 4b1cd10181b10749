import { useState } from 'react';

/** Shares the address of the search with the device's share dialog, or copies it: a search is a link (ruling 6). */
export function ShareSearch() {
  const [said, setSaid] = useState('');

  async function share() {
    setSaid('');
    const address = location.href;
    try {
      if (typeof navigator.share === 'function')
        await navigator.share({ title: document.title, url: address });
      else {
        await navigator.clipboard.writeText(address);
        setSaid('Link copied.');
      }
    } catch (error) {
      // The visitor cancelled.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      setSaid('The link could not be copied. It is the address of this page.');
    }
  }

  return (
    <div className="share-search">
      <button type="button" className="chip-button" onClick={() => void share()}>
        Share<span className="share-what"> this search</span>
      </button>
      <span role="status">{said}</span>
    </div>
  );
}
