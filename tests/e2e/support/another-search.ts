import type { Page } from '@playwright/test';
import { addDays, type CalendarDate, todayInLondon } from '../../../domain/calendar-date.ts';
import type { MockServer } from '../../mock-server/mock-server.ts';
import { type SpecItem, specItem } from '../../mock-server/spec-items.ts';
import { cards, hotelNames } from './journeys.ts';

export const TODAY: CalendarDate = todayInLondon(Date.now());

/** The departure day of the searches below; any searchable day works. */
export const DAY: CalendarDate = addDays(TODAY, 9);

/** The address of a search for a week in Benidorm from Gatwick, with additional parameters. */
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

/** Fields of the JSON texts, beside the fields of the item. */
export interface ItemChanges extends SpecItem {
  hotel?: Record<string, unknown>;
  flight?: Record<string, unknown>;
  additional?: Record<string, unknown>;
}

/** A package with changes; undefined removes a field. */
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

/** Makes the server respond to every search with these items, and opens the results. */
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

/** The names of the hotels on the page, without their stars. */
export async function plainNames(page: Page): Promise<string[]> {
  return (await hotelNames(page)).map((name) => name.replace(/[★½ ]+$/, ''));
}

/** Records console messages of a level from now on. */
export function consoleAt(page: Page, level: 'error' | 'warning'): string[] {
  const heard: string[] = [];
  page.on('console', (message) => {
    if (message.type() === level) heard.push(message.text());
  });
  return heard;
}
