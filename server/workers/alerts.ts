import { workerData } from 'node:worker_threads';
import { type AlertService, type AlertServiceOptions, openAlertService } from '../alerts/alert-service.ts';
import type { AlertQuestion } from '../alerts/alerts-in-thread.ts';
import { logLine } from '../lib/log.ts';
import { answerQuestions, refuseTheLate } from '../lib/worker-rpc.ts';

let opened: AlertService | null = null;

/** Opened by the first question, because a store that is unavailable now may be back for the next. */
function openedService(): AlertService {
  if (opened !== null) return opened;
  const { service, run } = openAlertService(workerData as AlertServiceOptions, Date.now, (line) =>
    logLine('error', `Price alerts: ${line}`),
  );
  run();
  opened = service;
  return service;
}

answerQuestions(async (question: AlertQuestion, waited): Promise<unknown> => {
  if (question.kind === 'stop') return opened?.stop();
  refuseTheLate(waited);
  const service = openedService();
  switch (question.kind) {
    case 'signUp':
      return service.signUp(question.request);
    case 'processWebhook':
      return service.processWebhook(question.request);
    case 'answerChallenge':
      return service.answerChallenge(question.query);
    case 'readOutbox':
      return service.readOutbox();
    case 'simulateReply':
      return service.simulateReply(question.person, question.text);
    case 'simulateDrop':
      return service.simulateDrop(question.watch);
    case 'readMetrics':
      return service.readMetrics();
    case 'readNotices':
      return service.readNotices(question.after);
  }
});
