import { constantTimeEqual } from '../../lib/constant-time-equal.ts';
import type { MessageProviderSettings } from './message-provider-settings.ts';

/**
 * The answer to a provider's verification request, which is its challenge; null if the request is not the provider's, or
 * the provider sends none. Meta documents it under 'Create a webhook endpoint'.
 */
export function answerChallenge(
  provider: MessageProviderSettings,
  query: Readonly<Record<string, unknown>>,
): string | null {
  if (provider.kind !== 'meta') return null;
  const isOurs =
    query['hub.mode'] === 'subscribe' &&
    constantTimeEqual(String(query['hub.verify_token']), provider.verifyToken);
  const challenge = query['hub.challenge'];
  return isOurs && typeof challenge === 'string' ? challenge : null;
}
