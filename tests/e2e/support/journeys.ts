import type { Locator, Page } from '@playwright/test';

/** The page's parts, by role and label. */
export function destinationField(page: Page): Locator {
  return page.getByRole('combobox', { name: 'Destination' });
}

export function airportField(page: Page): Locator {
  return page.getByRole('combobox', { name: 'Departure airport' });
}

export function searchButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Search', exact: true });
}

/** The results, in any state. */
export function results(page: Page): Locator {
  return page.getByRole('region', { name: 'Results', exact: true });
}

export function cards(page: Page): Locator {
  return page.getByRole('article');
}

export function hotelNames(page: Page): Promise<string[]> {
  return cards(page)
    .getByRole('heading')
    .evaluateAll((headings) => headings.map((heading) => heading.textContent ?? ''));
}

/** Types into a field, and picks the option with that name. */
export async function pick(page: Page, field: Locator, text: string, option: string | RegExp): Promise<void> {
  await field.click();
  await field.fill(text);
  await page.getByRole('option', { name: option }).first().click();
}

/** Fills in the form with the mouse, and searches. */
export async function search(
  page: Page,
  { destination, airport }: { destination: string; airport: string },
): Promise<void> {
  await pick(page, destinationField(page), destination, new RegExp(`^${destination}`));
  await pick(page, airportField(page), airport, new RegExp(airport));
  await searchButton(page).click();
}
