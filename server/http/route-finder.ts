import type { FastifyInstance } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';

/** Finds the route of a request before the app does. */
export interface RouteFinder {
  /** Learns the routes that are added to the app from now on. */
  follow(app: FastifyInstance): void;
  /** The app's pattern for an address, however it is written, such as `/graphql` for `/%67raphql/?a=1`. Null: none. */
  routeOf(method: string, url: string): string | null;
}

/** How addresses are read, by the app's router and by this one. */
export const ROUTER_OPTIONS = { ignoreTrailingSlash: true } as const;

export function routeFinder(): RouteFinder {
  const router = findMyWay(ROUTER_OPTIONS);
  /** By method: the addresses that are written as their routes are, which most requests are. */
  const plain = new Map<string, Set<string>>();
  return {
    follow(app) {
      app.addHook('onRoute', ({ method, url }) => {
        for (const one of [method].flat() as HTTPMethod[]) {
          if (!router.hasRoute(one, url)) router.on(one, url, () => {}, url);
          if (/[:*(]/.test(url)) continue;
          plain.set(one, (plain.get(one) ?? new Set()).add(url));
        }
      });
    },
    routeOf(method, url) {
      if (plain.get(method)?.has(url)) return url;
      const route: unknown = router.find(method as HTTPMethod, url)?.store;
      return typeof route === 'string' ? route : null;
    },
  };
}
