import type { Page } from '@playwright/test';
import { expect, test } from './support/another-server.ts';
import { airportField, cards, destinationField, pick, searchButton } from './support/journeys.ts';

const LIST = [
  'Isle of Man,IOM',
  'London,LON,1',
  'London Gatwick,LGW,',
  'London Luton,LTN,0',
  ',XXX,',
  'No code,,',
  'South East,SE,1',
  'London Gatwick,LGW',
  'Southend,SEN',
  'Manchester area,MAN,1',
  'Manchester,MAN,',
  'Mandley Field,QQQ',
].join('\r\n');

test.beforeEach(async ({ page, mock }) => {
  mock.script.airports = { status: 200, body: LIST, type: 'text/csv' };
  await page.goto('/');
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
});

const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
const held = (page: Page, name: RegExp) => page.getByRole('option', { name, checked: true });

// @proves 2.9, 2.10, 3.5, 3.6
test('lists airports under their regions, each heading with a toggle, and airports without a region last', async ({
  page,
}) => {
  await expect(airportField(page)).toHaveAttribute('placeholder', 'Select departure airports');
  await airportField(page).click();
  await expect(page.getByRole('group')).toHaveText([
    /^London.*Select all.*London Gatwick.*London Luton/,
    /^South East.*Select all.*London Gatwick.*Southend/,
    /^Manchester area.*Select all.*Manchester.*Mandley Field/,
    /^Other airports.*Isle of Man/,
  ]);
  await expect(page.getByRole('option', { name: /No code|XXX/ })).toHaveCount(0);
  await expect(group(page, 'Other airports').getByText(/elect all/)).toHaveCount(0);
});

// @proves 2.12, 2.13
test('holds one selection, which a new choice replaces, even a greyed-out airport', async ({
  page,
  mock,
}) => {
  await airportField(page).click();
  await group(page, 'South East')
    .getByRole('option', { name: /^Southend/ })
    .click();
  await airportField(page).click();
  await expect(page.getByRole('option', { checked: true })).toHaveCount(1);
  const luton = page.getByRole('option', { name: /^London Luton/ });
  const colour = (name: RegExp) =>
    page
      .getByRole('option', { name })
      .first()
      .evaluate((node) => getComputedStyle(node).color);
  expect(await colour(/^London Luton/)).not.toBe(await colour(/^Southend/));
  await luton.click();
  await airportField(page).click();
  await expect(held(page, /^London Luton/)).toHaveCount(1);
  await expect(held(page, /^Southend/)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await searchButton(page).click();
  await expect(cards(page)).toHaveCount(10);
  expect(mock.searches[0]?.body.variables.filters.departureAirports).toEqual(['LTN']);
});

// @proves 2.11, 2.14, 7.7
test("selects and deselects a region's own entry with its heading's toggle, and shows its airports checked", async ({
  page,
  mock,
}) => {
  await airportField(page).click();
  await group(page, 'South East').getByText('Select all').click();
  await expect(page.getByText('South East (all 2)')).toBeVisible();
  await airportField(page).click();
  await expect(group(page, 'South East').getByText('Deselect all')).toBeVisible();
  await expect(group(page, 'London').getByText('Select all')).toBeVisible();
  // Gatwick is listed in two regions, and checked in both.
  await expect(held(page, /^London Gatwick/)).toHaveCount(2);
  await expect(held(page, /^Southend/)).toHaveCount(1);
  await expect(held(page, /^London Luton/)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await searchButton(page).click();
  await expect(cards(page)).toHaveCount(10);
  expect(mock.searches[0]?.body.variables.filters.departureAirports).toEqual(['LGW', 'SEN']);
  await expect(page).toHaveURL(/from=region:SE/);

  await airportField(page).click();
  await group(page, 'South East').getByText('Deselect all').click();
  await expect(page.getByText('South East (all 2)')).toBeHidden();
  await expect(searchButton(page)).toBeDisabled();
  await airportField(page).click();
  await expect(group(page, 'South East').getByText('Select all')).toBeVisible();
});

test('filters the airports by the typed text, with an exact code first', async ({ page }) => {
  await airportField(page).fill('man');
  await expect(page.getByRole('option').first()).toHaveText(/^Manchester MAN/);
  await airportField(page).press('Enter');
  await expect(page.getByText('Manchester', { exact: true })).toBeVisible();
  await airportField(page).fill('south east');
  await expect(page.getByRole('group')).toHaveText([/^South East/]);
  await airportField(page).fill('sen');
  await expect(page.getByRole('option').first()).toHaveText(/^Southend SEN/);
  await airportField(page).fill('nowhere');
  await expect(page.getByText('No airports found.').first()).toBeVisible();
});

test('opens, selects, replaces and clears an airport by keyboard alone', async ({ page }) => {
  await airportField(page).focus();
  await page.keyboard.press('ArrowDown');
  const active = page.getByRole('listbox', { name: 'Airports' }).getByRole('option', { selected: true });
  await expect(active).toHaveText(/Select all.*London/);
  await page.keyboard.press('ArrowDown');
  await expect(active).toHaveText(/^London Gatwick/);
  await page.keyboard.press('Enter');
  await expect(page.getByText('London Gatwick', { exact: true })).toBeVisible();
  await expect(searchButton(page)).toBeEnabled();
  await airportField(page).focus();
  await page.keyboard.press('ArrowUp');
  await expect(active).toHaveText(/^Isle of Man/);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Isle of Man', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Backspace');
  await expect(page.getByText('Isle of Man', { exact: true })).toBeHidden();
  await expect(searchButton(page)).toBeDisabled();
});

test('tolerates one or two typing errors if nothing matches exactly', async ({ page }) => {
  await airportField(page).fill('manchster');
  await expect(page.getByRole('option').first()).toHaveText(/Select all.*Manchester area/);
  await airportField(page).fill('gatwcik');
  await expect(page.getByRole('option').first()).toHaveText(/^London Gatwick LGW/);
  await airportField(page).press('Enter');
  await expect(page.getByText('London Gatwick', { exact: true })).toBeVisible();
  await expect(searchButton(page)).toBeEnabled();
});

for (const [text, chip] of [
  ['lgw', 'London Gatwick'],
  ['london gatwick', 'London Gatwick'],
  ['London', 'London (all 2)'],
  ['Manchester', 'Manchester'],
] as const) {
  test(`'${text}' names one airport or region, and is selected when the field loses focus`, async ({
    page,
  }) => {
    for (const key of ['Tab', 'Enter']) {
      await airportField(page).fill(text);
      await expect(page.getByRole('option').first()).toBeVisible();
      await airportField(page).press(key);
      await expect(page.getByText(chip, { exact: true })).toBeVisible();
      await expect(airportField(page)).toHaveValue('');
      await expect(searchButton(page)).toBeEnabled();
      await page.getByRole('button', { name: /^Remove/ }).click();
    }
  });
}

test('shows an error for a text that names no airport, or several, until it is edited or an airport is chosen', async ({
  page,
}) => {
  const message = page.getByText('Choose an airport from the list');
  await airportField(page).fill('man');
  await airportField(page).fill('mand');
  await expect(page.getByRole('option').first()).toBeVisible();
  await airportField(page).press('Tab');
  await expect(page.getByRole('alert')).toHaveText('Choose an airport from the list');
  await expect(airportField(page)).toHaveValue('mand');
  await expect(airportField(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(airportField(page)).toHaveAccessibleDescription('Choose an airport from the list');
  await airportField(page).press('End');
  await page.keyboard.type('l');
  await expect(message).toHaveCount(0);
  await page.keyboard.press('Tab');
  await expect(message).toBeVisible();
  await pick(page, airportField(page), 'IOM', /^Isle of Man/);
  await expect(message).toHaveCount(0);
  await expect(airportField(page)).toHaveAccessibleDescription('Isle of Man');
});

test('searches from an airport whose code was typed just before pressing Search', async ({ page, mock }) => {
  await airportField(page).fill('ltn');
  await expect(page.getByRole('option').first()).toBeVisible();
  const box = await searchButton(page).boundingBox();
  if (box === null) throw new Error('the button has no place');
  await page.mouse.click(box.x + 10, box.y + 10);
  await expect(cards(page)).toHaveCount(10);
  expect(mock.searches[0]?.body.variables.filters.departureAirports).toEqual(['LTN']);
});
