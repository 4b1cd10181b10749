import { useState } from 'react';
import { Icon } from '../ui/Icon.tsx';
import { keepHotel } from './keep-hotel.ts';
import { MAX_SAVED, type SavedHoliday, STORAGE_FULL, storeShortlist, useShortlist } from './shortlist.ts';

interface SaveButtonProps {
  holiday: SavedHoliday;
  /** Of the hotel's page, if it has one. */
  href: string | undefined;
}

/** A heart that keeps a holiday on this device. Absent if storage is blocked. */
export function SaveButton({ holiday, href }: SaveButtonProps) {
  const saved = useShortlist();
  const [refusal, setRefusal] = useState('');
  if (saved === null) return null;
  const others = saved.filter(({ itemKey }) => itemKey !== holiday.itemKey);
  const isSaved = others.length < saved.length;
  const isFull = !isSaved && others.length >= MAX_SAVED;

  function toggle() {
    if (isFull) return setRefusal(`You’ve saved ${MAX_SAVED}. Remove one first.`);
    const isStored = storeShortlist(isSaved ? others : [...others, holiday]);
    setRefusal(isStored ? '' : STORAGE_FULL);
    if (isStored && href !== undefined) keepHotel(href, !isSaved).catch(() => {});
  }

  return (
    <span className="save-holiday">
      <button
        type="button"
        className="icon-button"
        aria-pressed={isSaved}
        aria-label={`Save ${holiday.name}`}
        onClick={toggle}
      >
        <Icon name="heart" />
      </button>
      <span role="status">{refusal}</span>
    </span>
  );
}
