import { useState } from 'react';

/** Opens the device's share dialog. False if it is missing or fails; cancelling counts as shared. */
async function openShareDialog(): Promise<boolean> {
  if (typeof navigator.share !== 'function') return false;
  try {
    await navigator.share({ title: document.title, url: location.href });
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}

/** Shares the page's URL, or copies it. `what` names the shared content, such as 'this search'. */
export function ShareLink({ what }: { what: string }) {
  const [status, setStatus] = useState('');

  async function share() {
    setStatus('');
    if (await openShareDialog()) return;
    try {
      await navigator.clipboard.writeText(location.href);
      setStatus('Link copied.');
    } catch {
      setStatus('We couldn’t copy the link. Copy it from the address bar.');
    }
  }

  return (
    <div className="share-search">
      <button type="button" className="button-quiet" onClick={() => void share()}>
        <span>Share</span>
        <span className="share-what">{` ${what}`}</span>
      </button>
      <span role="status">{status}</span>
    </div>
  );
}
