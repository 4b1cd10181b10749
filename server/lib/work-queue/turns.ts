import { systemClock } from '../clock.ts';
import { threadTime } from '../thread-time.ts';
import { afterWork } from './after-work.ts';

/** The event loop, so that a test can supply another. */
export interface EventLoop {
  /** Milliseconds. */
  now(): number;
  /** Milliseconds of the processor that the thread has used, as `threadTime`. */
  threadTime(): number;
  /** Runs a task when all promises that are settled now have been followed. */
  afterWork(task: () => void): void;
  /** Runs a task in the next pass of the loop, after connections have been accepted and read. */
  nextPass(task: () => void): void;
  /** Runs a task after some milliseconds. */
  after(ms: number, task: () => void): void;
}

export interface ProcessLoop extends EventLoop {
  /** `since`: when the work of this pass began, if it was before now. */
  nextPass(task: () => void, since?: number): void;
  /** Runs a task in a callback of its own, behind those that wait already, after connections have been read once more. */
  nextCallback(task: () => void): void;
  /** To be called for each new connection. */
  accepted(): void;
}

/** What may come between two passes with work. */
export interface Accepting {
  /** Connections that are accepted at most. */
  most: number;
  /** The part of the time that the work of the pass took, within which the next one is accepted. */
  share: number;
}

const ACCEPTING: Accepting = { most: 64, share: 1 / 4 };

/**
 * The event loop of this process. libuv accepts one connection in a pass: beside long passes thousands of visitors would
 * wait to be let in, so passes without work come first while each lets another one in, for a part of the time that the work
 * took. If all who connect were let in first, thousands who connect again and again would keep everybody's searches waiting.
 */
export function processLoop(accepting: Accepting = ACCEPTING, now = () => performance.now()): ProcessLoop {
  let hasAccepted = false;
  let tasks: (() => void)[] = [];
  /** When the work of this pass began. */
  let begun = 0;

  function firstPass(): void {
    const at = now();
    pass(0, at + (at - begun) * accepting.share);
  }

  function pass(empty: number, acceptsUntil: number): void {
    if (hasAccepted && empty < accepting.most && now() < acceptsUntil) {
      hasAccepted = false;
      setImmediate(pass, empty + 1, acceptsUntil);
      return;
    }
    const due = tasks;
    tasks = [];
    for (const task of due) task();
  }

  return {
    now,
    threadTime,
    afterWork,
    nextPass(task, since = now()) {
      tasks.push(task);
      if (tasks.length > 1) return;
      begun = since;
      setImmediate(firstPass);
    },
    nextCallback: (task) => void setImmediate(task),
    after: (ms, task) => void systemClock.after(ms, task),
    accepted() {
      hasAccepted = true;
    },
  };
}
