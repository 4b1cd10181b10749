import { type CallResult, callProvider } from '../alerts/providers/provider-call.ts';
import type { CallQuestion } from '../alerts/providers/provider-caller.ts';
import { answerQuestions } from '../lib/worker-rpc.ts';

const inProgress = new Map<number, AbortController>();

answerQuestions(async (question: CallQuestion): Promise<CallResult> => {
  const { call } = question;
  if (question.kind === 'abort') {
    inProgress.get(call)?.abort();
    return { kind: 'unknown', why: 'aborted' };
  }
  const controller = new AbortController();
  inProgress.set(call, controller);
  try {
    return await callProvider(question.url, question.init, controller.signal, question.deadline);
  } finally {
    inProgress.delete(call);
  }
});
