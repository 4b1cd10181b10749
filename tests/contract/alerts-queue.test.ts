import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AlertsInThread, alertsIn } from '../../server/alerts/alerts-in-thread.ts';
import { openAlertsApp } from '../fixtures/alerts/alerts-app.ts';
import { type StoreHolder, startStoreHolder } from '../fixtures/alerts/hold-store.ts';
import { signUpBody } from '../fixtures/alerts/sign-up-body.ts';
import { SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { alertsThreadOf } from '../fixtures/test-threads.ts';

/** More calls than the queue holds. */
const FLOOD = 250;

type AlertsApp = Awaited<ReturnType<typeof openAlertsApp>>;

let alerts: AlertsApp;
beforeEach(async () => {
  alerts = await openAlertsApp();
});
afterEach(() => alerts.close());

describe('While a lock blocks the thread of the alerts', () => {
  let holder: StoreHolder;
  let inThread: AlertsInThread;
  beforeEach(async () => {
    holder = await startStoreHolder(alerts.address);
    const options = { store: alerts.address, brandName: 'Skylark', config: alerts.config };
    inThread = await alertsIn(alertsThreadOf(options), () => {});
  });
  afterEach(async () => {
    await inThread.service.stop();
    await holder.close();
  });

  it("lets the server's own calls bypass a queue that is full of sign-ups", async () => {
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
    // A rejected call would have settled by now.
    expect(await Promise.race([asked, nextTurn(null)])).toBeNull();
    holder.releaseAfter(0);
    await Promise.all([signUps, asked]);
  });
});
