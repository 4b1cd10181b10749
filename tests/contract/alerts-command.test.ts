import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { openSmallAlerts, type SmallAlerts, SOMEBODY } from '../fixtures/alerts/small-alerts.ts';

const run = promisify(execFile);
const ALERTS = join(import.meta.dirname, '../../server/cli/alerts.ts');

// Long, because each command is a separate process.
describe('npm run alerts', { timeout: 60_000 }, () => {
  let alerts: SmallAlerts;
  beforeEach(async () => {
    alerts = await openSmallAlerts();
  });
  afterEach(() => alerts.close());

  async function command(...words: string[]) {
    const env = {
      ...process.env,
      DATA_DIR: alerts.dataDir,
      CLOCK: new Date(alerts.now()).toISOString().replace('.000', ''),
    };
    return await run(process.execPath, [ALERTS, ...words], { env }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
  }
  const states = async () => (await alerts.messages()).map(({ state }) => state);
  async function unknownMessages(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1)
      await alerts.signUp(dramaNumber(index), alerts.itemKeys[0] ?? '');
    await alerts.parts.store.database.exec(
      `update alert_message set state = 'unknown', reason = 'TimeoutError', settled_at = due_at`,
    );
  }

  it('lists every message with an unknown outcome, by page or all together', async () => {
    await unknownMessages(230);
    const all = await command('messages', '--state', 'unknown', '--all', '--json');
    expect(all.stdout.trim().split('\n')).toHaveLength(230);
    const page = await command('messages', '--state', 'unknown', '--after', '200', '--limit', '20');
    expect(page.stdout).toContain('More: --after 220');
    expect((await command('messages', '--state', 'failed')).stdout).toBe('No message.\n');
  });

  it('resends messages with an unknown outcome only if an operator asks for it', async () => {
    await unknownMessages(3);
    const dry = await command('send-again', '--all', '--state', 'unknown', '--dry-run');
    expect(dry.stdout).toContain('this would send again 3 messages, 3 of them with an unknown outcome');
    const unconfirmed = await command('send-again', '--all');
    expect(unconfirmed).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('may have been sent already'),
    });
    expect((await command('send-again')).stderr).toContain('Name one message');
    await alerts.parts.dispatcher.drain();
    expect(await states()).toEqual(['unknown', 'unknown', 'unknown']);
    await command('send-again', '1', '--yes');
    await command('give-up', '--all', '--error', 'TimeoutError', '--yes');
    // The command's clock has run ahead of the tests', so the message may be due later than the tests' time.
    alerts.passTime(60_000);
    await alerts.parts.dispatcher.drain();
    expect(await states()).toEqual(['delivered', 'dropped', 'dropped']);
  });

  it('pauses sending until it is resumed', async () => {
    await command('pause');
    await alerts.signUp(SOMEBODY, alerts.itemKeys[0] ?? '');
    alerts.passTime(30 * 24 * 3_600_000);
    await alerts.parts.dispatcher.drain();
    expect(await states()).toEqual(['queued']);
    expect((await command('status')).stdout).toContain('paused by an operator');
    await command('resume');
    alerts.passTime(-30 * 24 * 3_600_000);
    await alerts.parts.dispatcher.drain();
    expect(await states()).toEqual(['delivered']);
  });

  it('looks a number up, exports it, and records who did so without recording the number', async () => {
    await alerts.watch(SOMEBODY, alerts.itemKeys[0] ?? '');
    expect((await command('lookup', '07700 900123')).stderr).toContain('--why');
    const looked = await command('lookup', '07700 900123', '--why', 'a complaint', '--who', 'support');
    expect(looked.stdout).toContain('watch 1: active');
    const to = join(alerts.dataDir, 'export.json');
    await command('export', '07700 900123', '--why', 'a request for access', '--to', to);
    const exported = readFileSync(to, 'utf8');
    expect(exported).not.toContain('7700900123');
    expect(JSON.parse(exported)).toMatchObject({
      watches: [{ number: 1, limit_price: null, search: null }],
      acts: [{ who: 'support', why: 'a complaint' }, { why: 'a request for access' }],
    });
  });

  it('adds the numbers in a file to the suppression list, and reports invalid lines', async () => {
    await alerts.watch(SOMEBODY, alerts.itemKeys[0] ?? '');
    const file = join(alerts.dataDir, 'numbers.txt');
    writeFileSync(file, '07700 900123\nno number\n\n+44 7700 900124\n');
    const added = await command('suppression', 'add', file, '--why', 'moved from the old system', '--yes');
    expect(added.stdout).toContain('2 added');
    expect(added.stderr).toContain(`${file}:2: neither a UK phone number nor an email address`);
    expect((await alerts.parts.store.sql.get`select state from alert_watch`)?.state).toBe('paused');
    expect((await command('suppression', 'check', file, '--why', 'a check')).stdout).toContain(
      '2 on the list',
    );
    // Each command's clock starts at the tests' time and runs on, so the next command must start later.
    alerts.passTime(60_000);
    await command('suppression', 'remove', file, '--why', 'a mistake', '--yes');
    expect(await alerts.parts.store.sql.all`select key from alert_suppression`).toEqual([]);
  });

  it('replaces the key of the data folder, and a server that still runs refuses changes', async () => {
    await alerts.watch(SOMEBODY, alerts.itemKeys[0] ?? '');
    const file = join(alerts.dataDir, 'alerts.key');
    const before = readFileSync(file);
    expect((await command('rotate-keys', '--yes')).stdout).toContain('the old one no longer works');
    expect(readFileSync(file)).not.toEqual(before);
    await expect(alerts.signUp(SOMEBODY, alerts.itemKeys[1] ?? '')).rejects.toThrow('was rotated. Restart');
    const looked = await command('lookup', '07700 900123', '--why', 'a check');
    expect(looked.stdout).toContain('watch 1: active');
    expect((await command('rotate-keys', '--yes')).stdout).toContain('records have moved');
    expect((await command('status')).stdout).toContain('1 active');
  });

  it('replaces a key in ALERTS_KEY by one in a file', async () => {
    const held = readFileSync(join(alerts.dataDir, 'alerts.key')).toString('hex');
    const to = join(alerts.dataDir, 'new-alerts.key');
    const env = (ALERTS_KEY: string) => ({ ...process.env, DATA_DIR: alerts.dataDir, ALERTS_KEY });
    const rotate = async (key: string, ...words: string[]) =>
      await run(process.execPath, [ALERTS, 'rotate-keys', ...words], { env: env(key) }).catch(
        (error: { stdout: string; stderr: string }) => error,
      );
    expect((await rotate(held)).stderr).toContain('Name a file for the new key');
    expect((await rotate(held, '--to', to, '--yes')).stdout).toContain(`The new key is in ${to}`);
    const next = readFileSync(to, 'utf8').trim();
    expect((await rotate(next, '--to', to)).stderr).toContain('is not a new key');
    expect((await rotate(held, '--to', `${to}.2`)).stderr).toContain('encrypted with another');
  });

  it('erases a number only when confirmed, and takes no option that a command does not know', async () => {
    await alerts.watch(SOMEBODY, alerts.itemKeys[0] ?? '');
    const unconfirmed = await command('erase', '07700 900123');
    expect(unconfirmed).toMatchObject({ code: 1, stderr: expect.stringContaining('add --yes') });
    expect(await states()).not.toEqual([]);
    for (const words of [
      ['status', '--yes'],
      ['status', 'now'],
      ['erase', '07700 900123', '--all'],
    ]) {
      expect((await command(...words)).stderr).toContain('does not take');
    }
    expect((await command('erase', '07700 900123', '--yes')).stdout).toContain('Erased, with 1 watch');
    expect(await states()).toEqual([]);
  });

  it('reports counts, costs and rates', async () => {
    await alerts.watch(SOMEBODY, alerts.itemKeys[0] ?? '');
    const { stdout } = await command('report', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      messages: [{ template: 'confirm', state: 'delivered', count: 1 }, { template: 'reply' }],
      days: [{ sent: 2, pence: 8 }],
      rates: { optIn: 1, stop: 0 },
    });
  });
});
