import { cards, search } from './support/journeys.ts';
import { expect, test } from './support/skylark.ts';

interface Tools {
  getTools(): Promise<{ name: string }[]>;
  executeTool(tool: { name: string }, input: string): Promise<string | null>;
}

test.use({
  launchOptions: {
    ...(process.env.BROWSER_PATH && { executablePath: process.env.BROWSER_PATH }),
    args: ['--enable-features=WebMCP'],
  },
});

/** Uses the browser's own interface, as an assistant does. */
async function callTool(
  page: import('@playwright/test').Page,
  name: string,
  input: object,
): Promise<unknown> {
  return page.evaluate(
    async ({ named, json }) => {
      const { modelContext } = document as unknown as { modelContext: Tools };
      const tool = (await modelContext.getTools()).find((each) => each.name === named);
      if (tool === undefined) throw new Error(`no tool ${named}`);
      return JSON.parse((await modelContext.executeTool(tool, json)) ?? 'null') as unknown;
    },
    { named: name, json: JSON.stringify(input) },
  );
}

const toolNames = (page: import('@playwright/test').Page) =>
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
  await callTool(page, 'fill_search', {
    country: 'Spain',
    from: 'LGW',
    date: '2999-01-01',
    alert: '1',
    holiday: 'x',
  }).catch(() => null);
  await callTool(page, 'search_holidays', {
    places: [],
    from: ['LGW'],
    date: '2027-05-04',
    email: 'a@b.example',
  }).catch(() => null);
  expect(sent.filter((path) => !['/mcp', '/graphql', '/vitals'].includes(path))).toEqual([]);
});
