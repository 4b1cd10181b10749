import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore, type TestStore } from '../../tests/fixtures/test-stores.ts';
import { openAlertService } from './alert-service.ts';
import { parseAlertsConfig } from './alerts-config.ts';

let store: TestStore;
beforeEach(async () => {
  store = await makeStore('embedded');
});
afterEach(() => store.remove());

it('closes its store if the alerts cannot start, so that a retry can open it', async () => {
  const parsed = parseAlertsConfig({});
  if (parsed.kind === 'refused') throw new Error(parsed.message);
  const { parts, run } = await openAlertService(
    { store: store.address, brandName: 'Skylark', config: parsed.config },
    Date.now,
    () => {},
    () => Promise.reject(new Error('writes nothing')),
  );
  const { database } = parts.store;
  await database.exec('drop table alert_pause');
  await expect(run).rejects.toThrow('alert_pause');
  await vi.waitFor(async () => await expect(() => database.exec('select 1')).rejects.toThrow('not open'), {
    timeout: 20_000,
  });
});
