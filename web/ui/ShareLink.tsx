import { useState } from 'react';

/** Opens the device's share dialog. False if it is missing or fails; cancelling counts as shared. */
async function openShareDialog(url: string): Promise<boolean> {
  if (typeof navigator.share !== 'function') return false;
  try {
    await navigator.share({ title: document.title, url });
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}

interface ShareLinkProps {
  /** Names the shared content, such as 'this search'. */
  what: string;
  /** The page's URL by default. */
  href?: string;
}

/** Shares a URL, or copies it. */
export function ShareLink({ what, href }: ShareLinkProps) {
  const [status, setStatus] = useState('');

  async function share() {
    setStatus('');
    const url = new URL(href ?? '', location.href).href;
    if (await openShareDialog(url)) return;
    try {
      await navigator.clipboard.writeText(url);
      setStatus('Link copied.');
    } catch {
      setStatus(
        href === undefined
          ? 'We couldn’t copy the link. Copy it from the address bar.'
          : `We couldn’t copy the link. Copy it from here: ${url}`,
      );
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
