import type { Page } from '@playwright/test';
import { addDays, type CalendarDate, todayInLondon } from '../../../domain/calendar-date.ts';
import type { MockServer } from '../../mock-server/mock-server.ts';
import { type SpecItem, specItem } from '../../mock-server/spec-items.ts';
import { cards, hotelNames } from './journeys.ts';

export const TODAY: CalendarDate = todayInLondon(Date.now());

/** The departure day of the searches below. Any day that can be searched works. */
export const DAY: CalendarDate = addDays(TODAY, 9);

/** The URL of a search for a week in Benidorm from Gatwick, with additional parameters. */
export function resultsUrl(more: Record<string, string> = {}): string {
  const parameters = new URLSearchParams({
    country: 'Spain',
    region: 'Costa Blanca',
    resort: 'Benidorm',
    from: 'LGW',
    date: DAY,
    nights: '7',
    ...more,
  });
  return `/results?${parameters.toString()}`;
}

/** Changes to fields of the JSON texts, in addition to fields of the item. */
export interface ItemChanges extends SpecItem {
  hotel?: Record<string, unknown>;
  flight?: Record<string, unknown>;
  additional?: Record<string, unknown>;
}

/** A package with some fields changed. Undefined removes a field. */
export function changedItem(
  number: number,
  { hotel, flight, additional, ...item }: ItemChanges = {},
): SpecItem {
  const plain = specItem(number, DAY, { name: `Hotel ${number}`, price: 500, stars: 4, departs: '07:05' });
  const merged = (field: string, changes: Record<string, unknown> | undefined) =>
    changes === undefined
      ? plain[field]
      : JSON.stringify({ ...(JSON.parse(String(plain[field])) as object), ...changes });
  return {
    ...plain,
    Hotel: merged('Hotel', hotel),
    Flight: merged('Flight', flight),
    AdditionalData: merged('AdditionalData', additional),
    ...item,
  };
}

/** Makes the server return these items for every search, and opens the results. */
export async function openItems(
  page: Page,
  mock: MockServer,
  items: readonly unknown[],
  more: Record<string, string> = {},
): Promise<void> {
  mock.script.search = () => ({ items });
  await page.goto(resultsUrl(more));
  await cards(page).first().waitFor();
}

/** The hotels' names on the page, without their stars. */
export async function plainNames(page: Page): Promise<string[]> {
  return (await hotelNames(page)).map((name) => name.replace(/[★½ ]+$/, ''));
}

/** Records console messages of this level from now on. */
export function consoleAt(page: Page, level: 'error' | 'warning'): string[] {
  const heard: string[] = [];
  page.on('console', (message) => {
    if (message.type() === level) heard.push(message.text());
  });
  return heard;
}
