import type { Locator, Page } from '@playwright/test';
import type { MockAnswer, MockServer } from '../mock-server/mock-server.ts';
import { changedItem, consoleAt, resultsUrl } from './support/another-search.ts';
import { expect, test } from './support/another-server.ts';
import { cards, destinationField, hotelNames, results, search, searchButton } from './support/journeys.ts';

const FAILED = 'Failed to search holidays. Please try again.';
const INVALID = 'Please enter a valid UK phone number';
const WRONG = 'Something went wrong. Please try again.';

const FAILURES: readonly [string, MockAnswer, string | RegExp][] = [
  ['an answer of 500', { status: 500, body: 'the store is away' }, 'API Error: 500 - the store is away'],
  ['an answer of 503 without words', { status: 503, body: '' }, /^API Error: 503 -\s*$/],
  [
    'GraphQL errors',
    { status: 200, body: '{"errors":[{"message":"secret detail"}],"data":null}' },
    'GraphQL query failed',
  ],
  ['a page of HTML', { status: 200, body: '<html>' }, /couldn’t read.*Please search again/],
  [
    'a connection that breaks',
    'connection reset',
    /couldn’t reach the search service\. Check your connection/,
  ],
];

for (const [what, answer, message] of FAILURES) {
  // @proves 2.24, 8.1, 8.2, 8.3, 8.4
  test(`${what} fails the search with its message, and keeps the form`, async ({ page, mock }) => {
    const logged = consoleAt(page, 'error');
    mock.script.search = () => answer;
    await page.goto('/');
    await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
    const failure = page.getByText(FAILED);
    await expect(failure).toBeVisible();
    await expect(destinationField(page)).toBeHidden();
    await expect(results(page).getByRole('heading')).toHaveText(message);
    await expect(page.getByText('secret detail')).toBeHidden();
    expect(logged.join('\n')).toContain('The search failed.');
    expect(await isRed(failure)).toBe(true);
    // The reason is plain text instead of results, with one red message and one button for the next step.
    expect(await isRed(results(page).getByRole('heading'))).toBe(false);
    await expect(results(page).getByRole('alert')).toHaveCount(0);
    await expect(page.getByRole('button', { name: /again/ })).toHaveCount(1);

    mock.reset();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(cards(page)).toHaveCount(10);
    await expect(failure).toBeHidden();
    await expect(destinationField(page)).toHaveValue('Benidorm, Costa Blanca, Spain');
    await expect(page.getByRole('button', { name: 'Remove Gatwick' })).toBeVisible();
  });
}

test('brings the form back after a failed search, to change it', async ({ page, mock }) => {
  mock.script.search = () => ({ status: 500, body: 'no' });
  await page.goto('/');
  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await page.getByRole('button', { name: 'Change the search' }).click();
  await expect(page.getByText(FAILED)).toBeHidden();
  await expect(results(page).getByRole('alert')).toContainText('API Error: 500 - no');
  await expect(destinationField(page)).toHaveValue('Benidorm, Costa Blanca, Spain');
  mock.reset();
  await searchButton(page).click();
  await expect(cards(page)).toHaveCount(10);
});

test("never shows a proxy's page, and repeats a busy server's request once", async ({ page, mock }) => {
  const html = '<html><body><h1>Bad gateway</h1></body></html>';
  mock.script.search = () => ({ status: 502, body: html, type: 'text/html' });
  await page.goto(resultsUrl());
  await expect(results(page).getByRole('heading')).toHaveText(/^We couldn’t reach the search service/);
  await expect(page.getByText('Bad gateway')).toBeHidden();
  mock.reset();
  let isBusy = true;
  mock.script.search = () => {
    const answer = isBusy ? { status: 503, body: 'busy' } : { items: [changedItem(1)] };
    isBusy = false;
    return answer;
  };
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(cards(page)).toHaveCount(1);
});

const CHANGES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  async filter(page) {
    await page.getByLabel('All-Inclusive', { exact: true }).click();
  },
  order: (page) => page.getByLabel('Sort by').selectOption('price-desc'),
  page: (page) => page.getByRole('button', { name: 'Next' }).click(),
};

for (const [what, change] of Object.entries(CHANGES)) {
  // @proves 8.4
  test(`keeps the results on a failed ${what}, says why above them, and can try again`, async ({
    page,
    mock,
  }) => {
    const items = Array.from({ length: 10 }, (_, nth) => changedItem(nth));
    mock.script.search = () => ({ items, hasMoreData: true, nextToken: 'second', count: 30 });
    await page.goto(resultsUrl());
    await expect(cards(page)).toHaveCount(10);
    const before = await hotelNames(page);
    mock.script.search = () => ({ status: 500, body: 'no' });
    await change(page);
    const alert = results(page).getByRole('alert');
    await expect(alert).toContainText('API Error: 500 - no');
    expect(await isRed(alert.getByRole('heading'))).toBe(true);
    expect(await hotelNames(page)).toEqual(before);
    await expect(page.getByRole('button', { name: /again/ })).toHaveCount(1);
    mock.script.search = () => ({ items: [changedItem(99)] });
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(alert).toBeHidden();
    await expect(cards(page).last()).toContainText('Hotel 99');
  });
}

// @proves 2.3, 8.8
test('shows the generic error page, with what to do next', async ({ page }) => {
  await page.addInitScript(() => {
    // Each card's stars call this function, so the first card throws.
    String.prototype.repeat = () => {
      throw new Error('out of stars');
    };
  });
  await page.goto(resultsUrl());
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reload the page' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Start a new search' })).toHaveAttribute('href', '/');
});

// @proves 4.9, 8.6
test('keeps the number after an alert failed, and can send it again', async ({ page, mock }) => {
  await openAlert(page, mock);
  const phone = page.getByLabel('Your phone number');
  await phone.fill('07700 900123');
  const failures: MockAnswer[] = [
    { status: 500, body: 'no' },
    { status: 404, body: 'no' },
    'connection reset',
  ];
  for (const failure of failures) {
    mock.script.signUp = failure;
    // A browser may itself repeat a request whose connection broke.
    const before = mock.signUps.length;
    await page.getByRole('button', { name: 'Track with WhatsApp' }).click();
    await expect.poll(() => mock.signUps.length).toBeGreaterThan(before);
    await expect(page.getByText(WRONG)).toBeVisible();
    await expect(phone).toHaveValue('07700 900123');
  }
  mock.script.signUp = { status: 204, body: '' };
  await page.getByRole('button', { name: 'Track with WhatsApp' }).click();
  await expect(page.getByRole('button', { name: 'Submitted' })).toBeVisible();
});

// @proves 4.10, 5.6, 8.5
test('rejects numbers that are not UK numbers with the specified message, and sends nothing', async ({
  page,
  mock,
}) => {
  await openAlert(page, mock);
  const phone = page.getByLabel('Your phone number');
  for (const number of ['', '12345', '07700 90012', '0044 7700 900123', 'seven', '07700 900123 456']) {
    await phone.fill(number);
    await page.getByRole('button', { name: 'Track with WhatsApp' }).click();
    await expect(page.getByText(INVALID)).toBeVisible();
    await expect(phone).toHaveValue(number);
    await phone.press('End');
    await phone.pressSequentially('1');
    await expect(page.getByText(INVALID)).toBeHidden();
  }
  expect(mock.signUps).toEqual([]);
});

async function openAlert(page: Page, mock: MockServer): Promise<void> {
  await page.goto(resultsUrl());
  await cards(page)
    .first()
    .getByRole('button', { name: /^Set up price alerts/ })
    .click();
  await expect(page.getByRole('dialog', { name: 'Watch this' })).toBeVisible();
  expect(mock.signUps).toEqual([]);
}

/** Whether an element's text is red, in any colour notation. */
function isRed(element: Locator): Promise<boolean> {
  return element.evaluate((node) => {
    const context = document.createElement('canvas').getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.fillStyle = getComputedStyle(node).color;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return red > green + blue;
  });
}
