import { afterEach, expect, it, vi } from 'vitest';
import { lazyCode } from './lazy-code.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it('fetches once, reports each state, and keeps the result', async () => {
  const fetchCode = vi.fn(async () => 'code');
  const lazy = lazyCode('part', fetchCode);
  const seen: string[] = [];
  const leave = lazy.subscribe(() => seen.push(lazy.current().status));
  expect(lazy.current().status).toBe('unasked');
  lazy.preload();
  await expect(Promise.all([lazy.load(), lazy.load()])).resolves.toEqual(['code', 'code']);
  expect(fetchCode).toHaveBeenCalledTimes(1);
  expect(seen).toEqual(['pending', 'stored']);
  expect(lazy.current()).toEqual({ status: 'stored', code: 'code' });
  leave();
});

it('fetches again after a failure', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue(undefined);
  let fails = true;
  const lazy = lazyCode('part', async () => {
    if (fails) throw new Error('offline');
    return 'code';
  });
  await expect(lazy.load()).rejects.toThrow('offline');
  expect(lazy.current().status).toBe('failed');
  expect(logged).toHaveBeenCalledTimes(1);
  fails = false;
  await expect(lazy.load()).resolves.toBe('code');
});

it('fails after a timeout, but uses code that arrives later', async () => {
  vi.useFakeTimers();
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  let arrive = (_code: string) => {};
  const fetchCode = vi.fn(() => new Promise<string>((resolve) => (arrive = resolve)));
  const lazy = lazyCode('part', fetchCode);
  const loaded = expect(lazy.load()).rejects.toThrow('Timed out after 20 s');
  await vi.advanceTimersByTimeAsync(20_000);
  await loaded;
  expect(lazy.current().status).toBe('failed');
  arrive('code');
  await vi.advanceTimersByTimeAsync(0);
  expect(lazy.current()).toEqual({ status: 'stored', code: 'code' });
  await expect(lazy.load()).resolves.toBe('code');
  expect(fetchCode).toHaveBeenCalledTimes(1);
});
