/** Why the server cannot start, in a sentence for the operator. */
export class StartRefused extends Error {}
