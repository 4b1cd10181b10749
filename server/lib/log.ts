import { pino } from 'pino';

/** Logs what belongs to no request, such as a worker's errors, in the shape of Fastify's lines. */
export const log = pino({ base: null });
