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

/** The cards of a server whose hotels have no pages: they have what is otherwise there. */
export async function withoutHotelPages(page: Page): Promise<void> {
  await page.route('**/config.json', async (route) => {
    const config = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...config, hotelPages: false } });
  });
}

export function hotelNames(page: Page): Promise<string[]> {
  return cards(page)
    .getByRole('heading')
    .evaluateAll((headings) => headings.map((heading) => heading.textContent ?? ''));
}

/** Opens the search form above results on a narrow screen, where a line sums it up. */
export async function editSearch(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Edit search: / }).click();
}

/** The filters: beside the results on a wide screen, else in a sheet, which this opens. */
export async function openFilters(page: Page): Promise<Locator> {
  if ((page.viewportSize()?.width ?? 0) >= 1200) return page.getByRole('complementary', { name: 'Filters' });
  await page.getByRole('button', { name: /^Filters/ }).click();
  return page.getByRole('dialog', { name: 'Filters' });
}

/** Chooses an option of a filter, on a wide screen. */
export async function chooseFilter(page: Page, filter: string, option: string): Promise<void> {
  const filters = await openFilters(page);
  await filters.getByRole('group', { name: filter }).getByLabel(option, { exact: true }).check();
}

/** The active filters, as chips. */
export function activeFilters(page: Page): Locator {
  return page.getByRole('list', { name: 'Active filters' }).getByRole('button', { name: /^Remove filter/ });
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
