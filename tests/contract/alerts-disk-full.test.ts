import { expect, it } from 'vitest';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { startMetaSimulator } from '../fixtures/alerts/meta-simulator.ts';
import { openSmallAlerts } from '../fixtures/alerts/small-alerts.ts';

const NUMBERS = 150;

// A full disk can be simulated only for the embedded store.
it('loses no alert and sends none twice while the disk is full', { timeout: 120_000 }, async () => {
  const simulator = await startMetaSimulator({ seed: 1 });
  const alerts = await openSmallAlerts({
    variables: { ALERT_CONFIRMATION: 'none', ALERT_QUIET_HOURS: 'none' },
    config: (config) => ({ ...config, provider: simulator.settings }),
    log: () => {},
  });
  const { store, dispatcher } = alerts.parts;
  const watched = alerts.itemKeys.at(-1) ?? '';
  for (let index = 0; index < NUMBERS; index += 1) await alerts.signUp(dramaNumber(index), watched);
  await store.sql.run`delete from alert_message`;
  await alerts.setPrice(watched, Math.floor((await alerts.priceOf(watched)) * 0.8));
  const drain = () =>
    dispatcher.drain().then(
      () => 'drained',
      (error: unknown) => String(error),
    );

  await store.database.exec('vacuum');
  const pages = Number((await store.database.prepare('pragma page_count').get())?.page_count);
  await store.database.exec(`pragma max_page_count = ${pages}`);
  const failures = new Set<string>();
  for (let second = 0; second < 5; second += 1) {
    failures.add(await drain());
    alerts.passTime(1_000);
  }
  expect([...failures].some((failure) => failure.includes('full'))).toBe(true);
  expect(simulator.accepted.length).toBeLessThan(NUMBERS);

  await store.database.exec('pragma max_page_count = 1000000');
  for (let second = 0; second < 30; second += 1) {
    await drain();
    for (const request of simulator.webhooks()) await alerts.service.processWebhook(request);
    alerts.passTime(1_000);
  }
  const numbers = simulator.accepted.map(({ number }) => number);
  expect([numbers.length, new Set(numbers).size]).toEqual([NUMBERS, NUMBERS]);
  await alerts.close();
  await simulator.close();
});
