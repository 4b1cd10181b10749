import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { openConnections } from './open-connections.ts';

class FakeSocket extends EventEmitter {
  destroyed = false;
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

const socket = () => new FakeSocket() as FakeSocket & Socket;

it('counts the connections that a network has now, and not those that it had before', () => {
  const open = openConnections(3);
  for (let nth = 0; nth < 5; nth += 1) {
    const closing = [socket(), socket()];
    for (const each of closing) open.add(each, 'churns');
    for (const each of closing) each.destroy();
  }
  expect([...open]).toEqual([]);
  const [one, first, second, newcomer] = [socket(), socket(), socket(), socket()];
  open.add(one, 'churns');
  open.add(first, 'b');
  open.add(second, 'b');
  expect(open.add(newcomer, 'c')).toBe(true);
  expect([one, first, second, newcomer].map(({ destroyed }) => destroyed)).toEqual([
    false,
    true,
    false,
    false,
  ]);
  expect(Array.from(open, (each) => each.socket)).toEqual([one, second, newcomer]);
});
