/** Something that an operator must know about while it lasts. */
export interface Condition {
  /** Identifies the condition while it lasts, such as `feed late ALFA`. */
  key: string;
  /** A line, such as 'The feed of ALFA is late'. */
  title: string;
  /** What happened, and what to do. */
  text: string;
  /** How long the condition has to last before anyone is notified. */
  graceMs: number;
}
