import { type CallResult, callProvider } from '../alerts/providers/provider-call.ts';
import type { CallQuestion } from '../alerts/providers/provider-caller.ts';
import { answerQuestions } from '../lib/worker-rpc.ts';

const underWay = new Map<number, AbortController>();

answerQuestions(async (question: CallQuestion): Promise<CallResult> => {
  const { call } = question;
  if (question.kind === 'give up') {
    underWay.get(call)?.abort();
    return { kind: 'unknown', why: 'given up' };
  }
  const controller = new AbortController();
  underWay.set(call, controller);
  try {
    return await callProvider(question.url, question.init, controller.signal, question.giveUpAt);
  } finally {
    underWay.delete(call);
  }
});
