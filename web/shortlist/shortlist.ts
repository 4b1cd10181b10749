import { useMemo, useSyncExternalStore } from 'react';
import { linkParameters } from '../../domain/link-parameters.ts';

/** A holiday as it was saved: enough to find it again, on any device, and to say what has changed. */
export interface SavedHoliday {
  itemKey: string;
  /** The total, in whole pounds. */
  pounds: number;
  name: string;
}

/** As many as a table shows side by side. */
export const MAX_SAVED = 4;

export const STORAGE_FULL = 'We couldn’t save that: this device’s storage for our site is full.';

const STORED = 'skylark.shortlist';
const SAVED = /^(\d{1,6})~([^~]{1,200})~(.{1,100})$/;

/** The holidays in a query string. The device stores the same text. Ignores what it cannot read. */
export function parseShortlist(query: string): SavedHoliday[] {
  const saved = new Map<string, SavedHoliday>();
  for (const text of new URLSearchParams(linkParameters(new URLSearchParams(query), true)).getAll('saved')) {
    const [, pounds, itemKey = '', name = ''] = SAVED.exec(text) ?? [];
    if (itemKey !== '' && saved.size < MAX_SAVED)
      saved.set(itemKey, { itemKey, pounds: Number(pounds), name });
  }
  return [...saved.values()];
}

/** Whether the query string of '/shortlist' has holidays: it is a copy, not the list of this device. */
export function isSharedShortlist(query: string): boolean {
  return new URLSearchParams(query).has('saved');
}

export function shortlistUrl(saved: readonly SavedHoliday[]): string {
  const parameters = new URLSearchParams(
    saved.map(({ itemKey, pounds, name }) => ['saved', `${pounds}~${itemKey}~${name.slice(0, 100)}`]),
  );
  return `/shortlist?${parameters.toString().replaceAll('%3A', ':')}`;
}

const listeners = new Set<() => void>();

/** The shortlist of this device; null while the page hydrates, and if storage is blocked. */
export function useShortlist(): readonly SavedHoliday[] | null {
  const stored = useSyncExternalStore(subscribe, readStored, () => null);
  return useMemo(() => (stored === null ? null : parseShortlist(stored)), [stored]);
}

/** False if the device's storage is full. */
export function storeShortlist(saved: readonly SavedHoliday[]): boolean {
  try {
    localStorage.setItem(STORED, shortlistUrl(saved).split('?')[1] ?? '');
  } catch {
    return false;
  }
  for (const listener of listeners) listener();
  return true;
}

function readStored(): string | null {
  try {
    return localStorage.getItem(STORED) ?? '';
  } catch {
    return null;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}
