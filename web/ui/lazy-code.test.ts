import { afterEach, expect, it, vi } from 'vitest';
import { lazyCode } from './lazy-code.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('fetches once, tells each state, and keeps what came', async () => {
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

it('asks again after a failure, which a preload swallows and a load does not', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue(undefined);
  let fails = true;
  const lazy = lazyCode('part', async () => {
    if (fails) throw new Error('offline');
    return 'code';
  });
  await expect(lazy.load()).rejects.toThrow('offline');
  expect(lazy.current().status).toBe('failed');
  expect(said).toHaveBeenCalledTimes(1);
  fails = false;
  await expect(lazy.load()).resolves.toBe('code');
});
