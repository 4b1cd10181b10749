import { addDays, todayInLondon } from '../../../domain/calendar-date.ts';
import { marketFolder, startSkylark } from '../../fixtures/running-skylark.ts';
import { MOCK_KEY, startMockServer } from '../../mock-server/mock-server.ts';
import { type AnySearchService, describeAnySearchService } from './any-search-service.ts';

const DAY = addDays(todayInLondon(Date.now()), 9);

const FILTERS = {
  startDate: DAY,
  endDate: addDays(DAY, 7),
  departureAirports: ['LGW'],
  numberOfAdults: 2,
  numberOfChildren: 0,
  numberOfInfants: 0,
  duration: 7,
  country: 'Spain',
  region: 'Costa Blanca',
  resort: 'Benidorm',
};

describeAnySearchService('Our own server', async () => {
  const { dataDir, remove } = await marketFolder();
  const skylark = await startSkylark(dataDir, { SAMPLE_INVENTORY: 'off' });
  const { searchApiKey } = (await (await fetch(`${skylark.url}/config.json`)).json()) as {
    searchApiKey: string;
  };
  return {
    ...overHttp({
      search: `${skylark.url}/graphql`,
      intents: `${skylark.url}/intents`,
      locations: `${skylark.url}/data/locations.csv`,
      'departure airports': `${skylark.url}/data/departure-airports.csv`,
    }),
    filters: { ...FILTERS, brand: 'SKY' },
    key: searchApiKey,
    async close() {
      await skylark.stop();
      await remove();
    },
  };
});

describeAnySearchService('A server that is not ours', async () => {
  const mock = await startMockServer();
  return {
    ...overHttp({
      search: `${mock.url}/api/holidays`,
      intents: `${mock.url}/conversations/intents`,
      locations: `${mock.url}/lists/places.csv`,
      'departure airports': `${mock.url}/lists/airports.csv`,
    }),
    filters: { ...FILTERS, brand: 'SEA' },
    key: MOCK_KEY,
    close: () => mock.close(),
  };
});

type Address = 'search' | 'intents' | 'locations' | 'departure airports';

function overHttp(urls: Record<Address, string>): Pick<AnySearchService, 'search' | 'signUp' | 'list'> {
  const post = (url: string, body: string, headers: Record<string, string>) =>
    fetch(url, { method: 'POST', body, headers });
  return {
    async search(body, headers) {
      const response = await post(urls.search, body, headers);
      return { status: response.status, text: await response.text() };
    },
    signUp: (body) => post(urls.intents, JSON.stringify(body), { 'content-type': 'application/json' }),
    list: async (name) => (await fetch(urls[name])).text(),
  };
}
