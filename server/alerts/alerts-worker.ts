import { workerData } from 'node:worker_threads';
import { answerQuestions } from '../ask-thread.ts';
import { logLine } from '../log-line.ts';
import { type AlertSetting, openAlertService } from './alert-service.ts';
import type { AlertQuestion } from './alerts-in-thread.ts';

const { service, run } = openAlertService(workerData as AlertSetting, Date.now, (line) =>
  logLine('error', `Price alerts: ${line}`),
);
run();

answerQuestions(async (question: AlertQuestion): Promise<unknown> => {
  switch (question.kind) {
    case 'signUp':
      return service.signUp(question.request);
    case 'takeWebhook':
      return service.takeWebhook(question.request);
    case 'answerChallenge':
      return service.answerChallenge(question.query);
    case 'readOutbox':
      return service.readOutbox();
    case 'writeFrom':
      return service.writeFrom(question.person, question.text);
    case 'askForDrop':
      return service.askForDrop(question.watch);
    case 'readMetrics':
      return service.readMetrics();
    case 'readNotices':
      return service.readNotices(question.after);
    case 'stop':
      return service.stop();
  }
});
