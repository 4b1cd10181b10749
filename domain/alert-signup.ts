import * as v from 'valibot';

/** The consent text as the visitor reads it (Section 2). Another wording is another version. */
export const ALERT_CONSENT = {
  version: 1,
  wording: 'By continuing, you agree to receive alerts via WhatsApp. You can stop them at any time.',
} as const;

/** Any sign-up that fails, but for its number (Section 8). */
export const ALERT_FAILED_MESSAGE = 'Something went wrong. Please try again.';

/** Longer than any key of ours; keys of other servers are short texts too. */
const MAX_ITEM_KEY_LENGTH = 400;

/**
 * The body of `POST /intents` (Section 7). The package travels whole, and only its ItemKey is read: everything
 * else about it is looked up in our own store (ruling 12).
 */
export const alertSignup = v.object({
  user: v.object({
    platform: v.literal('whatsapp'),
    channel: v.pipe(v.string(), v.maxLength(100)),
    /** The phone number. The page sends it normalised; it is read again as if it were not. */
    channel_id: v.pipe(v.string(), v.maxLength(100)),
  }),
  intentName: v.literal('alertSignup'),
  intent: v.object({
    packageHoliday: v.object({
      ItemKey: v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_ITEM_KEY_LENGTH)),
    }),
  }),
});

export type AlertSignup = v.InferOutput<typeof alertSignup>;
