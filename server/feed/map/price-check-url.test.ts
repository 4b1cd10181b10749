import { expect, it } from 'vitest';
import { parseProviders } from './holiday-providers.ts';

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
