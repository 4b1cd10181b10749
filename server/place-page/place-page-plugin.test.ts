import Fastify from 'fastify';
import { expect, it } from 'vitest';
import type { PackageRepository } from '../package-search/query/package-repository.ts';
import { placePagePlugin } from './place-page-plugin.ts';
import { sitemapPlugin } from './sitemap-plugin.ts';

it('charges pages of places and parts of the sitemap to the client’s allowance', async () => {
  const charged: string[] = [];
  const app = Fastify();
  const options = {
    repository: {
      inventoryVersion: async () => '1',
      readNote: async () => null,
    } as unknown as PackageRepository,
    airportCodes: ['LGW'],
    brandCode: 'SKY',
    charge(client: string) {
      charged.push(client);
      return 7;
    },
    now: () => 0,
  };
  await app.register(placePagePlugin, { ...options, site: { brandName: 'Seaward', publicUrl: null } });
  await app.register(sitemapPlugin, { ...options, publicUrl: null, isProduction: false });
  for (const url of ['/holidays/spain', '/sitemap/holidays-spain.xml']) {
    const remoteAddress = '203.0.113.7';
    const refused = await app.inject({ url, remoteAddress });
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('7');
    expect(refused.headers.etag).toBeUndefined();
  }
  expect(charged).toEqual(['203.0.113.7', '203.0.113.7']);
});
