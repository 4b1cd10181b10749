/** The routes that cost the store or the log something. Sign-ups have further limits. */
const ON_STORE: ReadonlySet<string> = new Set([
  '/graphql',
  '/intents',
  '/my-alerts',
  '/my-alerts/confirm',
  '/my-alerts/data',
  '/visits',
  '/vitals',
]);

/** Supervisors and load balancers decide by them. */
const HEALTH: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Deliveries of providers have limits of their own. */
const UNLIMITED = /^\/webhooks\/.*$/;

/** Mail companies post the clicks of all their users from a few addresses, and a stop must get through. */
const STOP_LINK = '/my-alerts/stop';

/** Answered whatever the load: others decide by the first three, and a provider's deliveries are few. */
const ALWAYS_ANSWERED = /^\/(healthz|readyz|metrics|webhooks\/.*)$/;

/**
 * How requests of a route are limited and shed. A route is the app's pattern, because one URL can be written in many ways:
 * /%67raphql, /graphql/. Null: an address without a route.
 */
export const worksOnStore = (route: string | null) => route !== null && ON_STORE.has(route);
export const isHealthCheck = (route: string | null) => route !== null && HEALTH.has(route);
export const isStopLink = (route: string | null) => route === STOP_LINK;
export const isUnlimited = (route: string | null) => route !== null && UNLIMITED.test(route);
export const isAlwaysAnswered = (route: string | null) => route !== null && ALWAYS_ANSWERED.test(route);

/** Pages, their files, lists and settings. They cost little, and the page does not work without them. */
export function isOfPage(method: string | undefined, route: string | null): boolean {
  return (
    route !== null &&
    (method === 'GET' || method === 'HEAD') &&
    !worksOnStore(route) &&
    !isStopLink(route) &&
    !isUnlimited(route) &&
    !isAlwaysAnswered(route)
  );
}
