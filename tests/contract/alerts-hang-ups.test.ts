import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AlertsInThread, alertsInThread } from '../../server/alerts/alerts-in-thread.ts';
import { CallerGone } from '../../server/lib/caller.ts';
import { openAlertsApp } from '../fixtures/alerts/alerts-app.ts';
import { type StoreHolder, startStoreHolder } from '../fixtures/alerts/hold-store.ts';
import { signUpBody } from '../fixtures/alerts/sign-up-body.ts';
import { SOMEBODY } from '../fixtures/alerts/small-alerts.ts';

/** Calls that the thread of the alerts is sent at the same time. */
const SENT_AT_ONCE = 16;

/** More calls than may wait for it. */
const FLOOD = 250;

type AlertsApp = Awaited<ReturnType<typeof openAlertsApp>>;

let alerts: AlertsApp;
beforeEach(async () => {
  alerts = await openAlertsApp();
});
afterEach(() => alerts.close());

describe('While a lock holds up the thread of the alerts', () => {
  let holder: StoreHolder;
  let inThread: AlertsInThread;
  beforeEach(async () => {
    holder = await startStoreHolder(alerts.address);
    const options = { store: alerts.address, brandName: 'Skylark', config: alerts.config };
    inThread = await alertsInThread(options, () => {});
  });
  afterEach(async () => {
    await inThread.service.stop();
    await holder.close();
  });

  it('withdraws what a caller who hung up only wanted to see', async () => {
    const { service, queue } = inThread;
    await holder.hold();
    const body = signUpBody(SOMEBODY, alerts.itemKeys[0] ?? '');
    const signUps = Array.from({ length: SENT_AT_ONCE }, (_, nth) =>
      service.signUp({ body, address: `198.51.100.${nth}` }),
    );
    const request = { token: 'm.1.0.1.x', address: '192.0.2.1' };
    const hungUp = new AbortController();
    const views = [
      service.viewOwn({ ...request, news: null, watch: null }, hungUp.signal),
      service.exportOwn(request, hungUp.signal),
      service.viewLink({ ...request, purpose: 'stop' }, hungUp.signal),
    ];
    expect(queue?.status()).toMatchObject({ running: SENT_AT_ONCE, waiting: 3 });
    hungUp.abort();
    for (const view of views) await expect(view).rejects.toThrow(CallerGone);
    expect(queue?.status()).toMatchObject({ waiting: 0, refused: { gone: 3 } });
    holder.releaseAfter(0);
    await Promise.allSettled(signUps);
  });

  it("lets the server's own questions into a queue that is full of sign-ups", async () => {
    const { service, queue } = inThread;
    await holder.hold();
    const body = signUpBody(SOMEBODY, alerts.itemKeys[0] ?? '');
    const signUps = Promise.allSettled(
      Array.from({ length: FLOOD }, (_, nth) => service.signUp({ body, address: `198.51.100.${nth}` })),
    );
    expect(queue?.status().refused.full).toBeGreaterThan(0);
    const asked = service.readNotices(0).then(
      () => null,
      (error: unknown) => error,
    );
    // A refusal on arrival comes at once.
    expect(await Promise.race([asked, nextTurn(null)])).toBeNull();
    holder.releaseAfter(0);
    await Promise.all([signUps, asked]);
  });
});

it.each([
  ['viewOwn', 'GET', '/my-alerts?token=x'],
  ['exportOwn', 'POST', '/my-alerts/data'],
  ['viewLink', 'GET', '/my-alerts/stop?token=x'],
  ['viewLink', 'GET', '/my-alerts/confirm?token=x'],
] as const)('gives up %s when the client of %s %s hangs up', async (asked, method, path) => {
  const called = Promise.withResolvers<AbortSignal | undefined>();
  const untilGone = async (_request: unknown, signal?: AbortSignal) => {
    called.resolve(signal);
    return await new Promise<never>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new CallerGone()));
    });
  };
  Object.assign(alerts.service, { [asked]: untilGone });
  const site = await alerts.app.listen({ port: 0, host: '127.0.0.1' });
  const client = new AbortController();
  const response = fetch(`${site}${path}`, { method, signal: client.signal });
  const signal = await called.promise;
  expect(signal?.aborted).toBe(false);
  client.abort();
  await expect(response).rejects.toThrow('aborted');
  // It goes to the error handler of the app, which is Fastify's here: the alerts have not failed.
  await vi.waitFor(() =>
    expect(alerts.logged.join('')).toContain('"res":{"statusCode":500},"err":{"type":"CallerGone"'),
  );
});
