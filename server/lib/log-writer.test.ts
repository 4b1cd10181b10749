import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { logWriter } from './log-writer.ts';

const RETRY = 100;
const LINE = `${'x'.repeat(1023)}\n`;

/** An output that takes at most `room` bytes, or fails. */
function testOutput() {
  const clock = virtualClock();
  const written: Buffer[] = [];
  const state = { fault: null as string | null, most: Number.POSITIVE_INFINITY, hangs: false };
  let dropped = 0;
  const take = (bytes: Buffer) => {
    const taken = bytes.subarray(0, state.most);
    written.push(Buffer.from(taken));
    return taken.length;
  };
  const writer = logWriter({
    output: {
      write(bytes, done) {
        if (state.hangs) return;
        if (state.fault === null) done(null, take(bytes));
        else done(Object.assign(new Error(state.fault), { code: state.fault }), 0);
      },
      writeNow: take,
    },
    clock,
    gapLine: (missing) => `${missing} missing\n`,
    noteDropped: () => {
      dropped += 1;
    },
  });
  return { clock, state, writer, text: () => Buffer.concat(written).toString(), dropped: () => dropped };
}

describe('the lines of the log', () => {
  it('are written in order, also by an output that takes a few bytes at once', async () => {
    const { state, writer, text } = testOutput();
    state.most = 3;
    writer.write('first line\n');
    writer.write('zweite Zeile: ü\n');
    expect(text()).toBe('first line\nzweite Zeile: ü\n');
    expect(await writer.written(0)).toBe(true);
  });

  it.each(['ENOSPC', 'EIO', 'EPIPE', 'EAGAIN', 'EBADF'])(
    'wait without an error while the output fails with %s, and are written when it works again',
    async (fault) => {
      const { clock, state, writer, text, dropped } = testOutput();
      writer.write('before\n');
      state.fault = fault;
      writer.write('meanwhile\n');
      writer.write('meanwhile too\n');
      await clock.advance(60_000);
      expect(text()).toBe('before\n');
      state.fault = null;
      await clock.advance(RETRY);
      expect(text()).toBe('before\nmeanwhile\nmeanwhile too\n');
      expect([dropped(), clock.pending]).toEqual([0, 0]);
    },
  );

  it('are dropped beyond a megabyte, and a line in their place says how many', async () => {
    const { clock, state, writer, text, dropped } = testOutput();
    state.fault = 'EAGAIN';
    for (let count = 0; count < 1_500; count += 1) writer.write(LINE);
    expect(dropped()).toBe(476);
    // A shorter one would fit, and stand before the gap.
    writer.write('short\n');
    state.fault = null;
    await clock.advance(RETRY);
    writer.write('after\n');
    expect(text()).toBe(`${LINE.repeat(1024)}477 missing\nafter\n`);
  });

  it('are waited for when the server stops, for a limited time', async () => {
    const { clock, state, writer } = testOutput();
    state.fault = 'ENOSPC';
    writer.write('waiting\n');
    const inTime = writer.written(1_000);
    const late = writer.written(50);
    await clock.advance(50);
    expect(await late).toBe(false);
    state.fault = null;
    await clock.advance(RETRY);
    expect(await inTime).toBe(true);
  });

  it('are not written at the end of the process where that would wait', () => {
    const { state, writer, text } = testOutput();
    state.fault = 'EAGAIN';
    writer.write('waiting\n');
    writer.writeLast();
    expect(text()).toBe('');

    const hanging = testOutput();
    hanging.state.hangs = true;
    hanging.writer.write('waiting\n');
    expect(hanging.writer.isWriting).toBe(true);
    hanging.writer.writeLast();
    expect(hanging.text()).toBe('');
  });
});
