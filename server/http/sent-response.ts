/** A response that was sent. `route` is null for an address without one. */
export interface SentResponse {
  method: string;
  route: string | null;
  status: number;
  ms: number;
}
