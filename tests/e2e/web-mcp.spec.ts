import type { Page } from '@playwright/test';
import { findBrowser } from '../../scripts/browser.ts';
import { cards, search } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

interface Tools {
  getTools(): Promise<{ name: string }[]>;
  executeTool(tool: { name: string }, input: object): Promise<unknown>;
}

const executablePath = findBrowser();

test.use({
  launchOptions: {
    ...(executablePath === null ? {} : { executablePath }),
    args: ['--no-sandbox', '--enable-features=WebMCP'],
  },
});

/** Uses the browser's own interface, as an assistant does. */
async function callTool(page: Page, name: string, input: object): Promise<unknown> {
  return page.evaluate(
    async ({ named, given }) => {
      const { modelContext } = document as unknown as { modelContext: Tools };
      const tool = (await modelContext.getTools()).find((each) => each.name === named);
      if (tool === undefined) throw new Error(`no tool ${named}`);
      const answer = await modelContext.executeTool(tool, given);
      return typeof answer === 'string' ? (JSON.parse(answer) as unknown) : answer;
    },
    { named: name, given: input },
  );
}

const toolNames = (page: Page) =>
  page.evaluate(async () => {
    const { modelContext } = document as unknown as { modelContext: Tools };
    return (await modelContext.getTools()).map(({ name }) => name).toSorted();
  });

test('the browser’s assistant can fill the form and set filters, and the visitor sees both', async ({
  page,
}) => {
  await page.goto('/');
  await expect
    .poll(() => toolNames(page))
    .toEqual(['cheapest', 'fill_search', 'find_places', 'get_holiday', 'search_holidays', 'set_filters']);
  const found = (await callTool(page, 'find_places', { text: 'benidorm' })) as { places: object[] };
  expect(found.places[0]).toEqual({ country: 'Spain', region: 'Costa Blanca', resort: 'Benidorm' });

  await search(page, { destination: 'Benidorm', airport: 'Gatwick' });
  await expect(cards(page).first()).toBeVisible();
  const { searchParams } = new URL(page.url());
  const date = searchParams.get('date') ?? '';

  await page.goto('/');
  await expect.poll(() => toolNames(page)).toHaveLength(6);
  const filled = await callTool(page, 'fill_search', {
    country: 'Spain',
    region: 'Costa Blanca',
    resort: 'Benidorm',
    from: 'LGW',
    date,
    nights: 7,
  });
  expect(filled).toMatchObject({ notes: [] });
  await expect(page.getByRole('combobox', { name: /Destination/ })).toHaveValue(/Benidorm/);
  await expect(cards(page).first()).toBeVisible();

  const before = await page.locator('.results-headline').textContent();
  expect(filled).toMatchObject({ headline: before });
  await callTool(page, 'set_filters', { minstars: 4, sort: 'price-desc' });
  await expect(page.getByRole('button', { name: /4 stars and up/ }).first()).toBeVisible();
  await callTool(page, 'set_filters', { minstars: null });
  await expect(page.locator('.results-headline')).toHaveText(before ?? '');
});

test('no tool can do anything personal', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
  });
  await page.goto('/');
  await expect.poll(() => toolNames(page)).toHaveLength(6);
  const personal = { alert: '1', email: 'a@b.example', holiday: 'x' };
  await callTool(page, 'fill_search', { country: 'Spain', from: 'LGW', date: '2027-05-04', ...personal });
  await expect.poll(() => new URL(page.url()).searchParams.get('country')).toBe('Spain');
  for (const name of Object.keys(personal)) expect(new URL(page.url()).searchParams.has(name)).toBe(false);
  expect(sent.filter((path) => !['/mcp', '/graphql', '/vitals'].includes(path))).toEqual([]);
});
