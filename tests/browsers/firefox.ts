import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { Session, WebDriver } from 'selenium-webdriver';
import { Command } from 'selenium-webdriver/lib/command.js';
import * as v from 'valibot';
import { vi } from 'vitest';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const PREFERENCES = `user_pref('marionette.port', 0);
user_pref('toolkit.legacyUserProfileCustomizations.stylesheets', true);`;

/** Selenium's commands that have another name in Marionette. */
const NAMES: Readonly<Record<string, string>> = {
  quit: 'DeleteSession',
  get: 'Navigate',
  getCurrentUrl: 'GetCurrentURL',
  goBack: 'Back',
  clickElement: 'ElementClick',
  clearElement: 'ElementClear',
  sendKeysToElement: 'ElementSendKeys',
  getAccessibleName: 'GetComputedLabel',
  actions: 'PerformActions',
};

/** The key of an element's id in WebDriver. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

const reply = v.tuple([
  v.literal(1),
  v.number(),
  v.nullable(v.object({ error: v.string(), message: v.string() })),
  v.unknown(),
]);
const wrapped = v.strictObject({ value: v.unknown() });
const session = v.object({ sessionId: v.string(), capabilities: v.record(v.string(), v.unknown()) });

/**
 * Starts Firefox without windows and with an empty profile. Translates Selenium's commands to Firefox's own
 * protocol, Marionette, as geckodriver does, which Debian does not package.
 */
export async function openFirefox(
  executable: string,
): Promise<{ driver: WebDriver; close: () => Promise<void> }> {
  const profile = temporaryFolder();
  const inProfile = (name: string) => join(profile.path, name);
  writeFileSync(inProfile('user.js'), PREFERENCES);
  mkdirSync(inProfile('chrome'));
  // Lets the window be as narrow as a phone.
  writeFileSync(inProfile('chrome/userChrome.css'), ':root { min-width: 0 !important }');
  const firefox = spawn(
    executable,
    ['--headless', '--no-remote', '--marionette', '--profile', profile.path],
    { stdio: 'ignore' },
  );
  const exited = once(firefox, 'exit');
  process.once('exit', () => firefox.kill());
  const port = await vi.waitFor(
    () => Number(readFileSync(inProfile('MarionetteActivePort'), 'utf8')),
    30_000,
  );
  const socket = connect(port, '127.0.0.1');
  const messages = readMessages(socket);
  await messages.next();
  let lastId = 0;
  let idle: Promise<unknown> = Promise.resolve();

  /** Sends a command after those before it, because Firefox takes one at a time. */
  function execute(command: Command): Promise<unknown> {
    const result = idle.then(() => send(command));
    idle = result.catch(() => {});
    return result;
  }

  async function send(command: Command): Promise<unknown> {
    const { sessionId: _, id: element, ...parameters } = command.getParameters();
    const name = command.getName();
    const method = NAMES[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
    lastId += 1;
    const text = JSON.stringify([
      0,
      lastId,
      `WebDriver:${method}`,
      { ...parameters, id: element?.[ELEMENT] ?? element },
    ]);
    socket.write(`${Buffer.byteLength(text)}:${text}`);
    const [, , error, result] = v.parse(reply, (await messages.next()).value);
    if (error !== null) throw new Error(`${method}: ${error.error}: ${error.message}`);
    return v.is(wrapped, result) ? result.value : result;
  }

  const { sessionId, capabilities } = v.parse(session, await execute(new Command('newSession')));
  const driver = new WebDriver(new Session(sessionId, capabilities), { execute });
  return {
    driver,
    async close() {
      await driver.quit();
      firefox.kill();
      await exited;
      profile.remove();
    },
  };
}

/** Messages are JSON, each after its length in bytes and a colon. */
async function* readMessages(socket: Socket): AsyncGenerator<unknown, undefined> {
  let received = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk]);
    const start = received.indexOf(':') + 1;
    const end = start + Number(received.toString('utf8', 0, start - 1));
    // No other message follows, because Firefox sends one per command.
    if (start === 0 || received.length < end) continue;
    yield JSON.parse(received.toString('utf8', start, end));
    received = Buffer.alloc(0);
  }
  return undefined;
}
