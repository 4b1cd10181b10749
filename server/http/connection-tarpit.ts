import type { Socket } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import { networkOf } from '../lib/ip-address.ts';
import type { Tally } from '../lib/tally.ts';
import { type ClientAddresses, connectingNetwork, tidyForwardedFor } from './client-address.ts';
import { gradualClose } from './gradual-close.ts';
import type { HeldRefusals } from './held-refusals.ts';
import { END_OF_HEAD, isTooLong, isUsualHead, requestHead, TOO_LONG_HEAD } from './request-head.ts';

/** A network's new connections wait when this many of its requests are held back: as many as it may have open. */
export const CROWD = 100;

/** Milliseconds after which the parser gets a connection whose first request has not arrived. The parser waits longer. */
const LONGEST_LOOK_MS = 1_000;

/**
 * Bytes that are kept of what a waiting connection sends. Of a longer request, only the head is kept; of a longer head,
 * nothing but that it was.
 */
export const MOST_KEPT = 16 * 1024;

interface TarpitSettings {
  clock: Clock;
  addresses: ClientAddresses;
  refusals: HeldRefusals;
  /** The requests that are held back, by their networks; `CROWD` are many. */
  heldBack: Tally;
}

export interface ConnectionTarpit {
  /** Gives a new connection to its parser, by calling `parse`: at once, or when it has waited. */
  receive(socket: Socket, parse: () => void): void;
  /** Whether a connection waited while a long body came, which was not kept. Its request can only be refused. */
  isCut(socket: Socket): boolean;
  /** Closes the connections on which no request has arrived, and has none wait from now on. */
  end(): void;
}

/**
 * Has new connections wait for their parser if many requests of their network are held back already. Clients that give up
 * and connect again, thousands of times a second, would get a parser, a request and a response each time, and everybody
 * else would wait while these are made and collected. Here each costs a socket, and a look at what it sends first.
 *
 * Only a proxy's connections are looked at, because nothing else tells for whom a proxy connects. The others are counted by
 * their own addresses. A connection waits for as long as a refusal of its network would be held. If its client is still
 * there, it gets its parser, and its request is answered or refused like any other. A long body is not kept, because
 * thousands of them would slow the garbage collector; such a request can only be refused.
 */
export function connectionTarpit({ clock, addresses, refusals, heldBack }: TarpitSettings): ConnectionTarpit {
  const ownNetwork = connectingNetwork(addresses);
  const closeGradually = gradualClose(clock);
  /** Connections on which no request has arrived. */
  const asking = new Set<Socket>();
  const cut = new WeakSet<Socket>();
  let hasEnded = false;

  /** The network for which a connection has to wait. Null: there is none. */
  function crowdOf(head: string, socket: Socket): string | null {
    const client = ownNetwork(addresses.addressOf(sentFrom(head, socket)));
    if (client !== null && heldBack.isMany(client)) return client;
    // What is refused for its form is refused to the address that connects.
    const own = networkOf(socket.remoteAddress ?? '');
    return heldBack.isMany(own) && !isUsualHead(head) ? own : null;
  }

  function look(socket: Socket, parse: () => void): void {
    const since = clock.now();
    let sent: Buffer | null = null;
    let state: 'asking' | 'waiting' | 'cut' | 'left' = 'asking';
    let giveUp = () => {};

    const read = (chunk: Buffer) => {
      if (state === 'cut') return;
      sent = sent === null ? chunk : Buffer.concat([sent, chunk]);
      const head = requestHead(sent);
      if (head === null) return;
      if (state === 'asking') decide(head);
      if (state !== 'waiting' || sent.length <= MOST_KEPT) return;
      state = 'cut';
      cut.add(socket);
      sent = isTooLong(head) ? TOO_LONG_HEAD : Buffer.from(sent.subarray(0, head.length + END_OF_HEAD));
    };
    const decide = (head: string) => {
      const network = crowdOf(head, socket);
      if (network === null) {
        pass();
        return;
      }
      state = 'waiting';
      asking.delete(socket);
      stopLook();
      giveUp = refusals.holdUnread({ network, socket, since }, pass);
    };
    const pass = () => {
      // Its client has gone, and it is going to be closed.
      if (socket.destroyed || socket.readableEnded) return;
      leave();
      socket.pause();
      if (sent !== null) socket.unshift(sent);
      parse();
      socket.resume();
    };
    const leave = () => {
      state = 'left';
      asking.delete(socket);
      stopLook();
      socket.off('data', read).off('end', hangUp).off('close', close).off('error', ignore);
    };
    const hangUp = () => closeGradually(socket);
    const close = () => {
      leave();
      giveUp();
    };
    const stopLook = clock.after(LONGEST_LOOK_MS, pass);
    asking.add(socket);
    socket.on('data', read).on('end', hangUp).on('close', close).on('error', ignore);
  }

  return {
    receive(socket, parse) {
      const { remoteAddress = '' } = socket;
      if (hasEnded || !heldBack.hasMany() || ownNetwork(remoteAddress) !== null) parse();
      else look(socket, parse);
    },
    isCut: (socket) => cut.has(socket),
    end() {
      hasEnded = true;
      for (const socket of asking) socket.destroy();
    },
  };
}

const FORWARDED_FOR = /\r\nx-forwarded-for:([^\r\n]*)/gi;

/** As the parser joins several headers of the name. */
function sentFrom(head: string, socket: Socket) {
  const forwarded = Array.from(head.matchAll(FORWARDED_FOR), ([, value = '']) => value.trim());
  const headers = forwarded.length === 0 ? {} : { 'x-forwarded-for': forwarded.join(', ') };
  tidyForwardedFor({ headers });
  return { headers, socket };
}

/** A connection that is reset is closed. */
const ignore = () => {};
