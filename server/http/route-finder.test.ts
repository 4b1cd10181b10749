import fc from 'fast-check';
import Fastify, { type FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { ROUTER_OPTIONS, routeFinder } from './route-finder.ts';

it('finds the route that the app finds, however an address is written', async () => {
  const routes = routeFinder();
  const app = Fastify({ routerOptions: ROUTER_OPTIONS });
  routes.follow(app);
  const found = async (request: FastifyRequest) => ({
    route: request.is404 ? null : request.routeOptions.url,
  });
  app.setNotFoundHandler(found);
  app.route({ method: ['GET', 'POST'], url: '/graphql', handler: found });
  await app.register(async (part) => void part.get('/my-alerts/data', found));
  await app.register(async (part) => void part.get('/', found), { prefix: '/outbox' });
  app.get('/webhooks/*', found);
  app.get('/data/:name', found);

  const part = fc.constantFrom(
    'graphql',
    '%67raphql',
    'Graphql',
    'my-alerts',
    'data',
    'webhooks',
    'outbox',
    '',
    '%2f',
    '%',
    ';',
    'a b',
    'é',
  );
  const path = fc.array(part, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
  const end = fc.constantFrom('', '/', '?', '?a=/graphql', '#x', '%3Fa', '//');
  const method = fc.constantFrom('GET' as const, 'POST' as const, 'HEAD' as const, 'OPTIONS' as const);
  await fc.assert(
    fc.asyncProperty(method, path, end, async (asked, start, rest) => {
      const url = encodeURI(start + rest).replaceAll('%25', '%');
      const response = await app.inject({ method: asked, url });
      // Addresses that cannot be decoded have no route.
      const expected = response.statusCode === 400 || asked === 'HEAD' ? undefined : response.json().route;
      const route = routes.routeOf(asked, url);
      if (expected !== undefined) expect(route).toBe(expected);
      else if (response.statusCode === 400) expect(route).toBeNull();
    }),
    { numRuns: 500 },
  );
  expect(routes.routeOf('POST', '/%67raphql/?a=1')).toBe('/graphql');
  expect(routes.routeOf('HEAD', '/data/x')).toBe('/data/:name');
  expect(routes.routeOf('GET', 'http://www.example.com/graphql')).toBe('/graphql');
  expect(routes.routeOf('NONE', '/graphql')).toBeNull();
  await app.close();
});
