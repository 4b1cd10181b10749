import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { vi } from 'vitest';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

/** Keys without a letter, as WebDriver names them. */
export const KEYS = { Enter: '\uE007', Escape: '\uE00C', ArrowRight: '\uE014', ArrowDown: '\uE015' };

const message = v.object({
  id: v.nullish(v.number()),
  result: v.nullish(v.unknown()),
  error: v.nullish(v.string()),
  message: v.nullish(v.string()),
});

const context = v.object({ context: v.string() });
const returned = v.object({
  result: v.object({ value: v.optional(v.unknown()), sharedId: v.optional(v.string()) }),
});

/** Firefox with one page, controlled over WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). */
export type FirefoxPage = Awaited<ReturnType<typeof openFirefox>>;

export async function openFirefox(executable: string) {
  const profile = temporaryFolder();
  const firefox = spawn(
    executable,
    ['--headless', '--no-remote', '--remote-debugging-port', '0', '--profile', profile.path],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const socket = new WebSocket(`${await addressOf(firefox.stderr)}/session`);
  await once(socket, 'open');

  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const received = v.parse(v.pipe(v.string(), v.parseJson(), message), data);
    const command = pending.get(received.id ?? 0);
    pending.delete(received.id ?? 0);
    if (received.error == null) command?.resolve(received.result);
    else command?.reject(new Error(`${received.error}: ${received.message}`));
  });

  function send(method: string, params: object): Promise<unknown> {
    const command = Promise.withResolvers<unknown>();
    lastId += 1;
    pending.set(lastId, command);
    socket.send(JSON.stringify({ id: lastId, method, params }));
    return command.promise;
  }

  await send('session.new', { capabilities: {} });
  let page = '';

  async function call(functionDeclaration: string, values: readonly string[]) {
    const response = await send('script.callFunction', {
      functionDeclaration,
      arguments: values.map((value) => ({ type: 'string', value })),
      target: { context: page },
      awaitPromise: true,
    });
    return v.parse(returned, response).result;
  }

  /** The element that `find` returns in the page, once it returns one. It is scrolled into view. */
  function element(find: (...values: string[]) => Element | null | undefined, ...values: string[]) {
    const scrolled = `(...values) => {
      const found = (${String(find)})(...values);
      found?.scrollIntoView({ block: 'center', behavior: 'instant' });
      return found;
    }`;
    return vi.waitFor(async () => {
      const { sharedId } = await call(scrolled, values);
      if (sharedId === undefined) throw new Error(`Not found: ${values.join(', ')}`);
      return { sharedId };
    }, 30_000);
  }

  function perform(type: 'key' | 'pointer', actions: readonly object[]) {
    return send('input.performActions', { context: page, actions: [{ type, id: type, actions }] });
  }

  return {
    /** Replaces the page by an empty one. */
    async reset(): Promise<void> {
      const before = page;
      page = v.parse(context, await send('browsingContext.create', { type: 'tab' })).context;
      if (before !== '') await send('browsingContext.close', { context: before });
    },
    resize: (width: number, height: number) =>
      send('browsingContext.setViewport', { context: page, viewport: { width, height } }),
    goto: (url: string) => send('browsingContext.navigate', { context: page, url, wait: 'complete' }),
    goBack: () => send('browsingContext.traverseHistory', { context: page, delta: -1 }),
    /** Runs a function in the page, and returns its string, number or boolean. */
    async evaluate(work: (...values: string[]) => unknown, ...values: string[]): Promise<unknown> {
      return (await call(String(work), values)).value;
    },
    element,
    async click(...found: Parameters<typeof element>): Promise<void> {
      const origin = { type: 'element', element: await element(...found) };
      await perform('pointer', [
        { type: 'pointerMove', x: 0, y: 0, origin },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]);
    },
    /** Presses keys, given as characters or from `KEYS`. */
    type: (keys: string) =>
      perform(
        'key',
        [...keys].flatMap((value) => [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ]),
      ),
    async close(): Promise<void> {
      const ended = once(firefox, 'exit');
      await send('browser.close', {});
      await ended;
      profile.remove();
    },
  };
}

/** Where Firefox listens, which it says on stderr. */
function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  createInterface({ input: output })
    .on('line', (line) => {
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    })
    .on('close', () => reject(new Error('Firefox ended before it listened')));
  return promise;
}
