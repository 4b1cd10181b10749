import { answerQuestions } from '../ask-thread.ts';
import { type CallResult, callProvider } from './provider-call.ts';
import type { CallQuestion } from './provider-caller.ts';

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
