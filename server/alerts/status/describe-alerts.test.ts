import { expect, it } from 'vitest';
import { QUIET_METRICS } from '../../../tests/fixtures/alerts/quiet-metrics.ts';
import { describeAlerts } from './describe-alerts.ts';

const NOW = Date.parse('2027-07-15T12:00:00Z');

it('describes alerts without activity', () => {
  expect(describeAlerts(QUIET_METRICS, [], NOW).split('\n')).toEqual([
    'Price alerts, 2027-07-15 13:00',
    'Watches   0 active, 0 waiting for YES, 0 ended; of 0 numbers',
    'Queue     0 waiting, none due; 0 being sent',
    'Sent      0, of which 0 delivered, 0 read',
    'Failed    0',
    'Not sent  0: dropped because of a stop, a price rise or their age',
    'Unknown   0',
    'Stops     0 on the suppression list',
    'Sending   on',
    'Notices   none',
  ]);
});

it('lists failures by code, unknown outcomes, pauses and notices', () => {
  const email = { isPaused: true, until: NOW + 60_000, reason: 'account (smtp auth 535)' };
  const words = describeAlerts(
    {
      ...QUIET_METRICS,
      messages: { queued: 3, failed: 2, unknown: 1, read: 1 },
      due: 1,
      oldestDueSeconds: 90,
      failedByCode: { 131026: 2 },
      unknown: [{ message: 7, since: NOW, why: 'http 500' }],
      sending: { isPaused: true, until: NOW + 300_000, reason: 'account (190)' },
      channels: [{ channel: 'email', messages: { queued: 2 }, sending: email }],
      heldTemplates: [{ template: 'drop', until: NOW + 600_000, reason: '132015', since: NOW }],
    },
    [{ id: 1, at: NOW, kind: 'circuit', text: 'Sending is paused: account (190)' }],
    NOW,
  );
  expect(words).toContain('3 waiting, 1 due, the oldest for 90 seconds');
  expect(words).toContain('2: 131026 (2)');
  expect(words).toContain('message 7, 2027-07-15 13:00: http 500');
  expect(words).toContain('paused until 2027-07-15 13:05: account (190)');
  expect(words).toContain('by email: paused until 2027-07-15 13:01: account (smtp auth 535)');
  expect(words).toContain('2 queued');
  expect(words).toContain('template drop (132015), next try at 2027-07-15 13:10');
  expect(words).toContain('2027-07-15 13:00  Sending is paused');
});
