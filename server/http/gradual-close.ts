import type { Socket } from 'node:net';
import type { Clock } from '../lib/clock.ts';

/** Milliseconds between two times at which some are closed. */
const EVERY_MS = 5;

/** The part of those that wait which is closed each time: half of them have gone after 55 milliseconds. */
const PART = 1 / 16;

/**
 * Closes connections that nobody uses any more some at a time. The system takes longer to close one than to accept it, and
 * thousands of clients that hang up together would keep everybody else waiting.
 */
export function gradualClose(clock: Clock): (socket: Socket) => void {
  const closing: Socket[] = [];

  function closeSome(): void {
    for (const socket of closing.splice(0, Math.ceil(closing.length * PART))) socket.destroy();
    if (closing.length > 0) clock.after(EVERY_MS, closeSome);
  }

  return (socket) => {
    if (closing.push(socket) === 1) clock.after(EVERY_MS, closeSome);
  };
}
