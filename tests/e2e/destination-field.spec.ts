import type { Page } from '@playwright/test';
import { DAY } from './support/another-search.ts';
import { expect, test } from './support/another-server.ts';
import { airportField, cards, destinationField, pick, searchButton } from './support/journeys.ts';

const LIST = [
  'country,region,resort',
  'Spain,Costa Blanca,Benidorm',
  'Spain,Costa Blanca,Calpe',
  'Spain,Tenerife,Costa Adeje',
  'Spain,Andalucía,Málaga',
  'Spain,Costa del Sol,',
  'Costa Rica,Guanacaste,Tamarindo',
  'Portugal,Algarve,Acosta Bay',
  'Jordan,Amman,Amman',
].join('\n');

test.beforeEach(({ mock }) => {
  mock.script.places = { status: 200, body: LIST, type: 'text/csv' };
});

const options = (page: Page) => page.getByRole('listbox', { name: 'Places' }).getByRole('option');

// @proves 2.4, 2.5, 2.6, 2.7
test('offers countries, regions and resorts by label, in ranked order', async ({ page }) => {
  await page.goto('/');
  const field = destinationField(page);
  await expect(field).toHaveAttribute('placeholder', 'Where do you want to go?');
  await field.click();
  await expect(options(page).filter({ hasText: '(any region/any resort)' })).toHaveText([
    'Costa Rica (any region/any resort)',
    'Jordan (any region/any resort)',
    'Portugal (any region/any resort)',
    'Spain (any region/any resort)',
  ]);
  const found = async (text: string, labels: string[]) => {
    await field.fill(text);
    await expect(options(page), text).toHaveText(labels);
  };
  // Countries, regions, resorts, then matches by a parent. In each group, matches at the start come first.
  await found('COSTA', [
    'Costa Rica (any region/any resort)',
    'Costa Blanca, Spain',
    'Costa del Sol, Spain',
    'Costa Adeje, Tenerife, Spain',
    'Acosta Bay, Algarve, Portugal',
    'Benidorm, Costa Blanca, Spain',
    'Calpe, Costa Blanca, Spain',
    'Guanacaste, Costa Rica',
    'Tamarindo, Guanacaste, Costa Rica',
  ]);
  await found('malaga', ['Málaga, Andalucía, Spain']);
  await found('ANDALUCÍA', ['Andalucía, Spain', 'Málaga, Andalucía, Spain']);
  await found('amman', ['Amman, Jordan']);
  await found('tenrife', ['Tenerife, Spain', 'Costa Adeje, Tenerife, Spain']);
  await found('bendiorm', ['Benidorm, Costa Blanca, Spain']);
  await field.fill('xyzzy');
  await expect(options(page)).toHaveCount(0);
  await expect(page.getByText('No destinations found.').first()).toBeVisible();
});

const PICKS = [
  ['Spain (any region/any resort)', { country: 'Spain' }, ['region', 'resort']],
  ['Costa Blanca, Spain', { country: 'Spain', region: 'Costa Blanca' }, ['resort']],
  ['Benidorm, Costa Blanca, Spain', { country: 'Spain', region: 'Costa Blanca', resort: 'Benidorm' }, []],
] as const;

for (const [label, sent, absent] of PICKS) {
  // @proves 2.8
  test(`picking '${label}' keeps the label, and sends only its parts`, async ({ page, mock }) => {
    await page.goto('/');
    await pick(page, destinationField(page), label.split(' (')[0] ?? '', label);
    await expect(destinationField(page)).toHaveValue(label);
    await pick(page, airportField(page), 'Gatwick', /Gatwick/);
    await searchButton(page).click();
    await expect(cards(page)).toHaveCount(10);
    const [search] = mock.searches;
    expect(search?.body.variables.filters).toMatchObject(sent);
    for (const part of absent) expect(search?.body.variables.filters).not.toHaveProperty(part);
  });
}

test('supports the keyboard: arrows move, Enter picks, Escape closes and keeps, Tab leaves without choosing', async ({
  page,
}) => {
  await page.goto('/');
  const field = destinationField(page);
  await field.focus();
  await page.keyboard.type('costa');
  await expect(field).toHaveAttribute('aria-expanded', 'true');
  await expect(options(page).first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const active = page.getByRole('listbox', { name: 'Places' }).getByRole('option', { selected: true });
  await expect(active).toHaveText('Costa Blanca, Spain');
  await expect(field).toHaveAttribute('aria-activedescendant', (await active.getAttribute('id')) ?? '');
  await page.keyboard.press('End');
  await expect(active).toHaveText('Tamarindo, Guanacaste, Costa Rica');
  await page.keyboard.press('ArrowDown');
  await expect(active).toHaveText('Costa Rica (any region/any resort)');
  await page.keyboard.press('Escape');
  await expect(options(page)).toHaveCount(0);
  await expect(field).toHaveValue('costa');
  await page.keyboard.press('Tab');
  await expect(searchButton(page)).toBeDisabled();
  await field.focus();
  await page.keyboard.type(' blanca');
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('Costa Blanca, Spain');
  // The selected label does not filter the list, and leaving the field restores it.
  await field.press('ArrowDown');
  await expect(options(page).first()).toHaveText('Costa Rica (any region/any resort)');
  await field.fill('jor');
  await page.keyboard.press('Tab');
  await expect(field).toHaveValue('Costa Blanca, Spain');
  await page.getByRole('button', { name: 'Clear destination' }).click();
  await expect(field).toHaveValue('');
  await expect(field).toBeFocused();
});

test('a URL selects its own place, which the form shows', async ({ page, mock }) => {
  await page.goto(`/results?country=Spain&region=Costa%20Blanca&from=LGW&date=${DAY}&nights=4`);
  await expect(destinationField(page)).toHaveValue('Costa Blanca, Spain');
  await expect
    .poll(() => mock.searches[0]?.body.variables.filters)
    .toMatchObject({ country: 'Spain', region: 'Costa Blanca' });
});

test('searches a URL’s place even if the list of destinations cannot be loaded', async ({ page, mock }) => {
  mock.script.places = { status: 500, body: 'no' };
  await page.goto(`/results?country=Norway&region=Lofoten&from=LGW&date=${DAY}&nights=4`);
  await expect(destinationField(page)).toHaveValue('Lofoten, Norway');
  await expect(page.getByText(/^No holidays found/)).toBeVisible();
  expect(mock.searches[0]?.body.variables.filters).toMatchObject({ country: 'Norway', region: 'Lofoten' });
});

const message = (page: Page) => page.getByText('Choose a place from the list');

for (const [how, leave] of [
  ['Tab', (page: Page) => page.keyboard.press('Tab')],
  ['Enter', (page: Page) => page.keyboard.press('Enter')],
  [
    'Enter with the list closed',
    async (page: Page) => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Enter');
    },
  ],
  ['a press elsewhere', (page: Page) => page.getByRole('contentinfo').click()],
] as const) {
  test(`selects the place that a text names, when the field is left by ${how}`, async ({ page, mock }) => {
    await page.goto('/');
    await destinationField(page).click();
    await page.keyboard.type('amman');
    await expect(options(page)).not.toHaveCount(0);
    await leave(page);
    await expect(destinationField(page)).toHaveValue('Amman, Jordan');
    await expect(message(page)).toHaveCount(0);
    await pick(page, airportField(page), 'Gatwick', /Gatwick/);
    await searchButton(page).click();
    await expect
      .poll(() => mock.searches[0]?.body.variables.filters)
      .toMatchObject({ country: 'Jordan', region: 'Amman' });
  });
}

test('prefers the named place over a higher-ranked one on Enter', async ({ page, mock }) => {
  mock.script.places = {
    status: 200,
    type: 'text/csv',
    body: 'country,region,resort\nEl Salvador,La Paz,Zacatecoluca\nCape Verde,Sal,Santa Maria',
  };
  await page.goto('/');
  await destinationField(page).fill('sal');
  await expect(options(page).first()).toHaveText('El Salvador (any region/any resort)');
  await destinationField(page).press('Enter');
  await expect(destinationField(page)).toHaveValue('Sal, Cape Verde');
});

test('shows an error for a text that names no place, or several, until it is edited or a place is chosen', async ({
  page,
}) => {
  await page.goto('/');
  const field = destinationField(page);
  for (const text of ['costa', 'Benidor']) {
    await field.fill(text);
    await expect(options(page).first()).toBeVisible();
    await expect(message(page)).toHaveCount(0);
    await field.press('Tab');
    await expect(page.getByRole('alert')).toHaveText('Choose a place from the list');
    await expect(field).toHaveValue(text);
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription('Choose a place from the list');
    await field.press('End');
    await page.keyboard.type('x');
    await expect(message(page)).toHaveCount(0);
    await expect(field).not.toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription('');
  }
  await field.fill('xyzzy');
  await field.press('Enter');
  await expect(message(page)).toBeVisible();
  await pick(page, field, 'jor', /^Jordan/);
  await expect(message(page)).toHaveCount(0);
  await field.fill('   ');
  await field.press('Tab');
  await expect(field).toHaveValue('Jordan (any region/any resort)');
});

test('replaces the selection with the place that is typed, and any other text with the selection', async ({
  page,
}) => {
  await page.goto('/');
  const field = destinationField(page);
  await pick(page, field, 'jor', /^Jordan/);
  await field.fill('Malaga');
  await field.press('Tab');
  await expect(field).toHaveValue('Málaga, Andalucía, Spain');
  await field.fill('costa');
  await field.press('Escape');
  await field.press('Enter');
  await expect(field).toHaveValue('Málaga, Andalucía, Spain');
  await expect(message(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/$/);
});

test('resolves a text that was typed before the list loaded', async ({ page, mock }) => {
  let send = () => {};
  const held = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route(String(mock.config.locationsUrl), async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/');
  await destinationField(page).fill('malaga');
  await destinationField(page).press('Tab');
  await expect(message(page)).toHaveCount(0);
  send();
  await expect(destinationField(page)).toHaveValue('Málaga, Andalucía, Spain');
});

test('does not move what is below away from a press when a message appears', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 900 });
  await page.goto('/');
  await destinationField(page).fill('nowhere');
  await expect(page.getByText('No destinations found.').first()).toBeVisible();
  await destinationField(page).press('Escape');
  const date = page.getByRole('combobox', { name: 'When' });
  const box = await date.boundingBox();
  if (box === null) throw new Error('the date field has no place');
  await page.mouse.move(box.x + 20, box.y + 2);
  await page.mouse.down();
  await expect(message(page)).toHaveCount(0);
  await page.mouse.up();
  await expect(message(page)).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Choose a departure date' })).toBeVisible();
});

test('finds a place by the other names in the configuration', async ({ page, mock }) => {
  const otherNames = { Jordan: ['Al-Urdunn'], Tenerife: ['Canary Islands'], Unlisted: ['Costa Nueva'] };
  await page.route('**/config.json', (route) => route.fulfill({ json: { ...mock.config, otherNames } }));
  await page.goto('/');
  const field = destinationField(page);
  await field.fill('canary');
  await expect(options(page)).toHaveText(['Tenerife, Spain', 'Costa Adeje, Tenerife, Spain']);
  await field.fill('costa nueva');
  await expect(page.getByText('No destinations found.').first()).toBeVisible();
  await field.fill('al urdunn');
  await field.press('Tab');
  await expect(field).toHaveValue('Jordan (any region/any resort)');
});
