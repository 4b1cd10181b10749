import { type MouseEvent, useMemo, useState, useSyncExternalStore } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { CalendarDate } from '../../domain/calendar-date.ts';
import { clearRecentSearches, parseRecentSearches, readStored } from '../search/recent-searches.ts';
import './recent-searches.css';

const ours = () => localStorage;

/** The searches made on this device, each a link, and a way to forget them. Nothing of them leaves it. */
export function RecentSearches({ today }: { today: CalendarDate }) {
  const [, look] = useState(0);
  const kept = useSyncExternalStore(
    followOtherTabs,
    () => readStored(ours),
    () => null,
  );
  const searches = useMemo(() => parseRecentSearches(kept, today), [kept, today]);
  if (searches.length === 0) return null;

  function open(event: MouseEvent, address: string) {
    // A click that asks for another tab or window is the browser's own.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(address);
  }

  function forget() {
    clearRecentSearches(ours);
    look((times) => times + 1);
  }

  return (
    <nav className="recent-searches" aria-label="Recent searches">
      <p>
        Recent searches on this device{' '}
        <button type="button" className="link-button" onClick={forget}>
          Clear<span className="visually-hidden"> recent searches</span>
        </button>
      </p>
      <ul>
        {searches.map(({ address, place, details }) => (
          <li key={address}>
            <a href={address} onClick={(event) => open(event, address)}>
              <b>{place}</b> <span>{details}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function followOtherTabs(changed: () => void): () => void {
  addEventListener('storage', changed);
  return () => removeEventListener('storage', changed);
}
