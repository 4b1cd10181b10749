import { EXCUSES, KEEPS, STARTS, YES_PHRASES } from './english-commands.ts';
import { STARTS_ELSEWHERE } from './language-rules.ts';
import { applies } from './pattern.ts';
import { isSignature } from './yes-or-no.ts';

const ASKS =
  /^(how|when|where|what|which|why|if|do|does|did|is|are|should|shall|might|am|no|not|dont|can we|could we)\b/;
const NOTHING = /^(\s|sorry|please|thanks|thank|you|hi|hello|oops|hey|ok|but|and|so|my|mistake|bad|x)*$/;

/**
 * START lifts a stop, so it must be all that the message says. Beside it may stand why it was stopped: 'I stopped these
 * by mistake, turn them back on'. `meant` is the sentence without that.
 */
export function isStart(message: {
  sentence: string;
  meant: string;
  plain: string;
  clauses: readonly string[];
  isQuestion: boolean;
}): boolean {
  const { sentence, meant, plain, clauses, isQuestion } = message;
  // An answer to the confirmation: 'yes, sign me up'
  if (applies(YES_PHRASES, sentence)) return false;
  if (ASKS.test(sentence) || (isQuestion && !/^(\S+ ){0,2}(can|could|will|would|please)\b/.test(sentence)))
    return false;
  if (STARTS_ELSEWHERE.some((rule) => applies(rule, plain))) return true;
  if (applies(STARTS, sentence) || applies(STARTS, meant)) return true;
  const excused = clauses.some((clause) => applies(EXCUSES, clause));
  const starts = clauses.filter((clause) => applies(STARTS, clause) || (excused && applies(KEEPS, clause)));
  if (starts.length === 0) return false;
  return clauses.every(
    (clause, index) =>
      starts.includes(clause) ||
      NOTHING.test(clause) ||
      applies(EXCUSES, clause) ||
      (index > 0 && index === clauses.length - 1 && isSignature(clause)),
  );
}
