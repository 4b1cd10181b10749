import { type MouseEvent, useMemo, useState, useSyncExternalStore } from 'react';
import type { CalendarDate } from '../../domain/calendar-date.ts';
import { clearRecentSearches, parseRecentSearches, readStored } from '../search/recent-searches.ts';
import { goTo } from '../ui/dialog-history.ts';
import './recent-searches.css';

const ours = () => localStorage;

/** Links to the searches made on this device, and a button to clear them. They never leave the device. */
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
    // The browser handles clicks that open another tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(address);
  }

  function forget() {
    clearRecentSearches(ours);
    look((times) => times + 1);
  }

  return (
    <nav className="recent-searches" aria-label="Recent searches">
      <p>
        <span>Recent searches on this device </span>
        <button type="button" className="link-button" onClick={forget}>
          <span>Clear</span>
          <span className="visually-hidden"> recent searches</span>
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
