import * as v from 'valibot';

/** The consent text that the visitor reads (Section 2). If you change the wording, change the version. */
export const ALERT_CONSENT = {
  version: 1,
  wording: 'By continuing, you agree to receive alerts via WhatsApp. You can stop them at any time.',
} as const;

/** Shown for every failed sign-up except an invalid number (Section 8). */
export const ALERT_FAILED_MESSAGE = 'Something went wrong. Please try again.';

/** What the visitor consents to, by channel. If you change the wording, change the version. */
export const ALERT_CONSENTS = {
  whatsapp: ALERT_CONSENT,
  email: {
    version: 1,
    wording: 'By continuing, you agree to receive alerts by email. You can stop them at any time.',
  },
  push: {
    version: 1,
    wording: 'By continuing, you agree to receive alerts in this browser. You can stop them at any time.',
  },
  ntfy: {
    version: 1,
    wording: 'By continuing, you agree to receive alerts through ntfy. You can stop them at any time.',
  },
} as const;

/** In characters. Our server's keys are all shorter. */
const MAX_ITEM_KEY_LENGTH = 400;

/** In characters. Longer searches are not stored, because links to them would not fit into a message. */
export const MAX_SEARCH_LENGTH = 400;

/** The highest price that a package can have. */
export const MAX_POUNDS = 335_544;

/** In whole pounds for the party. */
const pounds = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_POUNDS)));

/** A query that is read in full where it is used (docs/contracts/results-address.md). */
const query = v.pipe(v.string(), v.maxLength(MAX_SEARCH_LENGTH), v.regex(/^[\w*.%+:&=-]+$/));

const phoneUser = v.object({
  platform: v.literal('whatsapp'),
  channel: v.pipe(v.string(), v.maxLength(100)),
  /** Not validated here, because the server normalises the number. */
  channel_id: v.pipe(v.string(), v.maxLength(100)),
});

const watched = {
  intentName: v.literal('alertSignup'),
  intent: v.object({
    packageHoliday: v.object({
      ItemKey: v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_ITEM_KEY_LENGTH)),
    }),
    /** Not in the specification: alert only below this total. */
    belowPrice: pounds,
    /** Also not specified: the query of the flexible search. */
    search: v.optional(query),
  }),
};

/**
 * The body of `POST /intents` (Section 7). The page sends the whole package, but the server reads only its
 * ItemKey and looks up the rest.
 */
export const alertSignup = v.object({
  user: phoneUser,
  ...watched,
});

export type AlertSignup = v.InferOutput<typeof alertSignup>;

const secret = v.pipe(v.string(), v.regex(/^[\w-]{16,100}={0,2}$/));

/** A random id kept in the browser. One request can stop all sign-ups that share it. */
const owner = v.optional(v.pipe(v.string(), v.regex(/^[\w-]{20,100}$/)));

const pushUser = v.object({
  platform: v.literal('push'),
  /** The `endpoint` of a browser's PushSubscription. */
  channel_id: v.pipe(v.string(), v.maxLength(1_000)),
  keys: v.object({ p256dh: secret, auth: secret }),
  owner,
});

/** A browser has a new push subscription; `from` is the old one's endpoint (docs/contracts/intents.md). */
export const subscriptionMove = v.object({ from: v.pipe(v.string(), v.maxLength(1_000)), user: pushUser });

export type SubscriptionMove = v.InferOutput<typeof subscriptionMove>;

const emailUser = v.object({
  platform: v.literal('email'),
  channel_id: v.pipe(v.string(), v.maxLength(320)),
  owner,
});

/** The name of a topic of an ntfy server (https://docs.ntfy.sh/publish). */
export const NTFY_TOPIC = /^[\w-]{1,64}$/;

const ntfyUser = v.object({
  platform: v.literal('ntfy'),
  channel_id: v.pipe(v.string(), v.regex(NTFY_TOPIC)),
  owner,
});

/** The body for a sign-up by email, web push or ntfy, in addition to Section 7 (docs/contracts/intents.md). */
export const channelSignup = v.object({
  user: v.variant('platform', [emailUser, pushUser, ntfyUser]),
  ...watched,
});

export type ChannelSignup = v.InferOutput<typeof channelSignup>;

/** The body for a sign-up to a search, also not specified, on any channel. */
export const searchSignup = v.object({
  user: v.variant('platform', [phoneUser, emailUser, pushUser, ntfyUser]),
  intentName: v.literal('searchAlertSignup'),
  intent: v.strictObject({
    search: query,
    /** The highest total that deserves an alert; omitted: any. */
    limit: pounds,
    /** What was paid for the only package that the search is for. The limit then follows from it. */
    booked: pounds,
  }),
});

export type SearchSignup = v.InferOutput<typeof searchSignup>;
