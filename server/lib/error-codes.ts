/** The stable error codes (docs/contracts/errors.md), with their status and default message. */
export const ERRORS = {
  BAD_REQUEST: { status: 400, sentence: 'The request is not valid.' },
  BAD_QUERY: { status: 400, sentence: 'The GraphQL query is not valid.' },
  BAD_USER_INPUT: { status: 400, sentence: 'A value in the request is not valid.' },
  BAD_TOKEN: { status: 400, sentence: 'The page token is not valid for this search.' },
  QUERY_TOO_EXPENSIVE: { status: 400, sentence: 'The query exceeds the cost limit of one request.' },
  UNAUTHORIZED: { status: 401, sentence: 'The key or signature is missing or wrong.' },
  FORBIDDEN: { status: 403, sentence: 'This is not allowed.' },
  NOT_FOUND: { status: 404, sentence: 'Not found.' },
  METHOD_NOT_ALLOWED: { status: 405, sentence: 'This URL does not accept this method.' },
  REQUEST_TIMEOUT: { status: 408, sentence: 'The request took too long to arrive: please send it again.' },
  BODY_TOO_LARGE: { status: 413, sentence: 'The body is too large: send a smaller one.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, sentence: 'Send JSON, with Content-Type: application/json.' },
  UNPROCESSABLE: { status: 422, sentence: 'A value in the body cannot be used.' },
  RATE_LIMITED: { status: 429, sentence: 'Too many requests. Please try again in a moment.' },
  HEADERS_TOO_LARGE: {
    status: 431,
    sentence: 'The headers are larger than 16 kB: send fewer or shorter ones.',
  },
  INTERNAL: { status: 500, sentence: 'Something went wrong here. Please try again.' },
  UNAVAILABLE: { status: 503, sentence: 'This is not available at the moment.' },
  OVERLOADED: {
    status: 503,
    sentence: 'The server is busy at the moment: please try again in a few seconds.',
  },
  STORE_UNAVAILABLE: {
    status: 503,
    sentence: 'The store cannot be reached at the moment: please try again in a few seconds.',
  },
  INTERRUPTED: { status: 503, sentence: 'This was interrupted: please try again in a few seconds.' },
} as const satisfies Record<string, { status: number; sentence: string }>;

export type ErrorCode = keyof typeof ERRORS;

export function errorBody(code: ErrorCode, sentence: string = ERRORS[code].sentence) {
  return { error: sentence, code };
}

/** The code for an error that has only a status: the first code with that status, else a general one. */
export function codeOfStatus(status: number): ErrorCode {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const exact = codes.find((code) => ERRORS[code].status === status);
  return exact ?? (status < 500 ? 'BAD_REQUEST' : 'INTERNAL');
}
