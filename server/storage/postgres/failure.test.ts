import { expect, it } from 'vitest';
import { isTransientFailure } from './failure.ts';

function failure(code: string | undefined, message = 'failed'): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

it.each([
  ['08006', 'could not establish any connections to the node 127.0.0.1:5433 after 30000 ms'],
  ['40P01', 'deadlock detected'],
  ['53300', 'sorry, too many clients already'],
  ['57P01', 'terminating connection due to administrator command'],
  ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432'],
  [undefined, 'Connection terminated unexpectedly'],
  ['XX000', 'server closed the connection unexpectedly'],
  [
    '0A000',
    'cannot perform distributed planning on this query because parameterized queries for SQL functions referencing distributed tables are not supported',
  ],
])('counts %s, %s, as transient', (code, message) => {
  expect(isTransientFailure(failure(code, message))).toBe(true);
});

it.each([
  ['23505', 'duplicate key value violates unique constraint "offer_pkey"'],
  ['0A000', 'cannot change name of view column "code" to "name"'],
  ['53400', 'maximum number of prepared transactions reached'],
  ['42P01', 'relation "offer" does not exist'],
  ['XX000', 'cache lookup failed for type 123'],
  ['58030', 'could not read block 3 in file "base/5/16384": Input/output error'],
  ['ERR_INVALID_ARG_TYPE', 'The argument must be a string'],
])('counts %s, %s, as permanent', (code, message) => {
  expect(isTransientFailure(failure(code, message))).toBe(false);
});

it.each([
  ['58030', 'multi_copy.c', 'failed to COPY to shard 102089 on 127.0.0.1:5433'],
  ['XX000', 'remote_transaction.c', 'failure on connection marked as essential: 127.0.0.1:5433'],
])('counts %s, from %s, as transient', (code, file, message) => {
  expect(isTransientFailure(Object.assign(failure(code, message), { file }))).toBe(true);
  expect(isTransientFailure(Object.assign(failure(code, message), { file: 'bufmgr.c' }))).toBe(false);
});

it('counts a failure of all addresses of a host as transient if each of them is', () => {
  const refused = failure('ECONNREFUSED');
  expect(isTransientFailure(new AggregateError([refused, refused]))).toBe(true);
  expect(isTransientFailure(new AggregateError([refused, failure('ERR_INVALID_ARG_TYPE')]))).toBe(false);
});
