import type { Page } from '@playwright/test';
import { expect, test } from './support/another-server.ts';
import { airportField, cards, destinationField, pick, searchButton } from './support/journeys.ts';

const when = (page: Page) => page.getByLabel('When');
const calendar = (page: Page) => page.getByRole('dialog', { name: 'Choose a departure date' });
const day = (page: Page, name: string) => calendar(page).getByRole('button', { name });

/** Opens the page at this time, then its calendar. */
async function openAt(page: Page, instant: string): Promise<void> {
  await page.clock.setFixedTime(instant);
  await page.goto('/');
  await when(page).click();
  await expect(calendar(page)).toBeVisible();
}

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id);

// @proves 2.15, 5.5, 9.5
test('picks a date and closes the calendar; a date cannot be typed', async ({ page, mock }) => {
  await page.clock.setFixedTime('2027-03-10T12:00:00Z');
  await page.goto('/');
  await expect(when(page)).toHaveAttribute('placeholder', 'Select date');
  await expect(when(page)).toHaveAttribute('readonly');
  await expect(when(page)).toHaveValue('11/03/2027');
  await when(page).focus();
  await page.keyboard.type('25/12/2027');
  await expect(when(page)).toHaveValue('11/03/2027');
  await page.keyboard.press('Escape');
  await when(page).click();
  await day(page, 'Saturday 20 March 2027').click();
  await expect(calendar(page)).toBeHidden();
  await expect(when(page)).toHaveValue('20/03/2027');
  await expect(when(page)).toBeFocused();
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
  await searchButton(page).click();
  await expect(cards(page)).toHaveCount(10);
  expect(mock.searches[0]?.body.variables.filters).toMatchObject({
    startDate: '2027-03-20',
    endDate: '2027-03-27',
  });
});

// @proves 2.17, 9.2
test('shows and sends tomorrow if no date is picked', async ({ page, mock }) => {
  await page.clock.setFixedTime('2027-12-31T12:00:00Z');
  await page.goto('/');
  await expect(when(page)).toHaveValue('01/01/2028');
  await pick(page, destinationField(page), 'Benidorm', /^Benidorm/);
  await pick(page, airportField(page), 'Gatwick', /Gatwick/);
  await searchButton(page).click();
  await expect(cards(page)).toHaveCount(10);
  expect(mock.searches[0]?.body.variables.filters).toMatchObject({
    startDate: '2028-01-01',
    endDate: '2028-01-08',
    duration: 7,
  });
});

const WINDOWS = [
  // Columns: today, the first day, the day before it, the last day, the day after it, the last day as the
  // field shows it.
  [
    '2027-08-31T12:00:00Z',
    'Wednesday 1 September 2027',
    'Tuesday 31 August 2027',
    'Wednesday 28 February 2029',
    'Thursday 1 March 2029',
    '28/02/2029',
  ],
  [
    '2026-08-30T12:00:00Z',
    'Monday 31 August 2026',
    'Sunday 30 August 2026',
    'Tuesday 29 February 2028',
    'Wednesday 1 March 2028',
    '29/02/2028',
  ],
] as const;

for (const [today, first, before, last, after, shown] of WINDOWS) {
  // @proves 2.16, 5.5
  test(`on ${today.slice(0, 10)} it offers days from ${first} to ${last}`, async ({ page }) => {
    await openAt(page, today);
    expect(await focused(page)).toContain(first);
    await page.keyboard.press('ArrowLeft');
    expect(await focused(page)).toContain(first);
    await page.keyboard.press('PageUp');
    expect(await focused(page)).toContain(first);
    if ((await day(page, before).count()) > 0) await expect(day(page, before)).toBeDisabled();
    for (let months = 0; months < 19; months += 1) await page.keyboard.press('PageDown');
    expect(await focused(page)).toContain(last);
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toContain(last);
    if ((await day(page, after).count()) > 0) await expect(day(page, after)).toBeDisabled();
    await page.keyboard.press('Enter');
    await expect(calendar(page)).toBeHidden();
    await expect(when(page)).toHaveValue(shown);
  });
}

test('opens and moves by day, week, month and year with the keyboard, and returns to the field on Escape', async ({
  page,
}) => {
  await page.clock.setFixedTime('2027-01-30T12:00:00Z');
  await page.goto('/');
  for (const key of ['Enter', ' ', 'ArrowDown']) {
    await when(page).focus();
    await page.keyboard.press(key);
    await expect(calendar(page)).toBeVisible();
    await expect.poll(() => focused(page)).toContain('Sunday 31 January 2027');
    await page.keyboard.press('Escape');
    await expect(calendar(page)).toBeHidden();
    await expect(when(page)).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toContain('Sunday 31 January 2027');
  for (const [key, name] of [
    ['ArrowRight', 'Monday 1 February 2027'],
    ['ArrowDown', 'Monday 8 February 2027'],
    ['End', 'Sunday 14 February 2027'],
    ['Home', 'Monday 8 February 2027'],
    ['ArrowUp', 'Monday 1 February 2027'],
    ['PageDown', 'Monday 1 March 2027'],
    ['Shift+PageDown', 'Wednesday 1 March 2028'],
    ['Shift+PageUp', 'Monday 1 March 2027'],
    ['ArrowLeft', 'Sunday 28 February 2027'],
    ['PageUp', 'Sunday 31 January 2027'],
  ] as const) {
    await page.keyboard.press(key);
    expect(await focused(page), key).toContain(name);
  }
  await page.keyboard.press('PageDown');
  await page.keyboard.press(' ');
  await expect(when(page)).toHaveValue('28/02/2027');
});

test('keeps Tab inside the calendar, and closes it on a press outside', async ({ page }) => {
  await openAt(page, '2027-03-10T12:00:00Z');
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press('Tab');
    const inside = await calendar(page).evaluate((dialog) => dialog.contains(document.activeElement));
    expect(inside).toBe(true);
  }
  await page.getByRole('heading', { level: 1 }).click();
  await expect(calendar(page)).toBeHidden();
});

for (const [timezoneId, instant, shown] of [
  // 01:30 on a summer night in London is afternoon in Auckland, and the previous day in Honolulu.
  ['Pacific/Auckland', '2027-07-01T00:30:00Z', '02/07/2027'],
  ['Pacific/Honolulu', '2027-07-01T00:30:00Z', '02/07/2027'],
  // A night in which London's clocks change.
  ['America/St_Johns', '2027-10-31T00:30:00Z', '01/11/2027'],
] as const) {
  test.describe(`a clock in ${timezoneId} at ${instant}`, () => {
    test.use({ timezoneId });
    test('uses today’s date in London', async ({ page }) => {
      await openAt(page, instant);
      await expect(when(page)).toHaveValue(shown);
      const [dayOfMonth] = shown.split('/');
      expect(await focused(page)).toMatch(new RegExp(` ${Number(dayOfMonth)} `));
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      const next = new Date(`${shown.split('/').reverse().join('-')}T12:00:00Z`);
      next.setUTCDate(next.getUTCDate() + 1);
      await expect(when(page)).toHaveValue(next.toISOString().slice(0, 10).split('-').reverse().join('/'));
    });
  });
}
