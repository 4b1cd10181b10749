/** A response that has been sent. `route` is null for an unknown path. */
export interface SentResponse {
  method: string;
  route: string | null;
  status: number;
  ms: number;
}
