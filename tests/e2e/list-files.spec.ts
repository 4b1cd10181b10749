import type { Page } from '@playwright/test';
import { expect, test } from './support/another-server.ts';
import { airportField, cards, destinationField, pick, searchButton } from './support/journeys.ts';

const options = (page: Page, list: 'Places' | 'Airports') =>
  page.getByRole('listbox', { name: list }).getByRole('option');

// @proves 3.3, 3.5, 7.3
test('reads lists in the formats that spreadsheets save', async ({ page, mock }) => {
  mock.script.places = {
    status: 200,
    type: 'text/csv',
    body: [
      '\uFEFF"REGION","Resort",notes,Country',
      '"Costa Blanca",Benidorm,"a ""big"", busy',
      'place",Spain',
      '',
      'Crete',
      '"Algarve, western",Lagos,,Portugal',
      'costa blanca,BENIDORM,,spain',
      ',,,',
      '"Costa  Blanca",Calpe,,Spain',
      '',
    ].join('\r\n'),
  };
  mock.script.airports = {
    status: 200,
    type: 'text/csv',
    body: '\uFEFF"London, all of it",LON,1\r\n"Gatwick ""South""",LGW,\r\n\r\n,LTN,\r\nLuton\r\n Luton , LTN ,\r\n"Gatwick again",LGW,',
  };
  await page.goto('/');
  await destinationField(page).click();
  await expect(options(page, 'Places')).toHaveText([
    'Portugal (any region/any resort)',
    'Spain (any region/any resort)',
    'Algarve, western, Portugal',
    'Costa Blanca, Spain',
    'Benidorm, Costa Blanca, Spain',
    'Calpe, Costa Blanca, Spain',
    'Lagos, Algarve, western, Portugal',
  ]);
  await airportField(page).click();
  await expect(options(page, 'Airports')).toHaveText([
    /^Select all.*London, all of it/,
    /^Gatwick "South" LGW/,
    /^Luton LTN/,
  ]);
  await page.keyboard.press('Escape');
  await pick(page, destinationField(page), 'Lagos', /^Lagos/);
  await pick(page, airportField(page), 'LTN', /^Luton/);
  await searchButton(page).click();
  await expect(page.getByText(/^No holidays found/)).toBeVisible();
  expect(mock.searches[0]?.body.variables.filters).toMatchObject({
    country: 'Portugal',
    region: 'Algarve, western',
    resort: 'Lagos',
    departureAirports: ['LTN'],
  });
});

for (const [what, body] of [
  ['without its columns', 'land,area,town\nSpain,Costa Blanca,Benidorm'],
  ['that is empty', ''],
] as const) {
  test(`a location list ${what} fails to load`, async ({ page, mock }) => {
    mock.script.places = { status: 200, body, type: 'text/csv' };
    await page.goto('/');
    await expect(page.getByRole('alert')).toContainText('We couldn’t load the destinations.');
  });
}

test('searches fifty thousand destinations', async ({ page, mock }) => {
  const rows = Array.from({ length: 50_000 }, (_, at) => `Land ${at % 50},Area ${at % 1_000},Town ${at}`);
  mock.script.places = {
    status: 200,
    body: ['country,region,resort', ...rows, 'Spain,Costa Blanca,Benidorm'].join('\n'),
    type: 'text/csv',
  };
  await page.goto('/');
  await destinationField(page).click();
  await expect(options(page, 'Places')).toHaveCount(50);
  await expect(page.getByText(/destinations found, first 50 shown\./).first()).toBeVisible();
  await destinationField(page).fill('Town 49999');
  await expect(options(page, 'Places')).toHaveText(['Town 49999, Area 999, Land 49']);
  await pick(page, destinationField(page), 'benidrom', /^Benidorm/);
  await pick(page, airportField(page), 'LGW', /^Gatwick/);
  await searchButton(page).click();
  await expect(cards(page)).toHaveCount(10);
});
