import { expect, it } from 'vitest';
import { parseProviders } from '../feed/map/holiday-providers.ts';
import { requestPrice } from './request-price.ts';

const QUESTION = {
  link: 'https://www.sunward.example/h/SOL1',
  hotel: 'SOL1',
  departureAirport: 'LGW',
  departureDate: '2027-06-12',
  nights: 7,
  board: 'HB',
  room: 'DBL',
  adults: 2,
  children: 0,
  infants: 0,
};

it('contacts no host without a public address', async () => {
  const asked = requestPrice('.')({ url: 'https://localhost/check', perMinute: 60 }, QUESTION, 100);
  await expect(asked).rejects.toThrow('no public IP address');
});

it.each(['http://check.sunward.example/', 'https://127.0.0.1/', 'https://[::1]/', 'https://a:b@c.example/'])(
  'does not accept the address %s',
  (url) => {
    const sunward = {
      code: 'SUNW',
      name: 'Sunward',
      linkHosts: ['www.sunward.example'],
      priceCheck: { url },
    };
    expect(parseProviders({ providers: [sunward] }, 'providers.json')).toEqual({
      kind: 'refused',
      message: 'providers.json: providers.0.priceCheck.url must be an https URL with a host name.',
    });
  },
);
