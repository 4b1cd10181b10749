import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { gradualClose } from './gradual-close.ts';

it('closes some connections at a time, and all of them within half a second', async () => {
  const clock = virtualClock();
  const close = gradualClose(clock);
  const sockets = Array.from({ length: 160 }, () => new Socket());
  for (const socket of sockets) close(socket);
  const closed = () => sockets.filter(({ destroyed }) => destroyed).length;
  expect(closed()).toBe(0);
  await clock.advance(5);
  expect(closed()).toBe(10);
  await clock.advance(50);
  expect(closed()).toBeGreaterThan(70);
  await clock.advance(450);
  expect(closed()).toBe(160);
  expect(clock.pending).toBe(0);
});

it('begins anew for a connection that comes later', async () => {
  const clock = virtualClock();
  const close = gradualClose(clock);
  for (const socket of [new Socket(), new Socket()]) {
    close(socket);
    await clock.advance(5);
    expect(socket.destroyed).toBe(true);
  }
});
