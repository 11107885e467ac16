/** Watches one exchange: keeps a copy of its request, reads a copy of its reply, and hands over both at the end. */
import type { IncomingMessage } from 'node:http'
import { ModelError } from '../../ports/language-model.ts'
import { BodyCopy, type CopyAllowance } from './body-copy.ts'
import { headerOf } from './headers.ts'
import type { ExchangeEnd, ExchangeObserver } from './passthrough.ts'
import type { FinishedExchange, PassedBy } from './recorder.ts'
import { ReplyCopy } from './reply-copy.ts'
import type { Wire } from './routes.ts'

const CUTS: Readonly<Record<Exclude<ExchangeEnd, 'whole'>, () => ModelError>> = {
  'client-cut': () => new ModelError('cancelled', 'The client closed the connection before the reply was whole.'),
  'upstream-cut': () => new ModelError('connection-lost', 'The provider broke the connection off within the reply.'),
  unreachable: () => new ModelError('connection-lost', 'The provider could not be reached.'),
}

/** An observer that looks at nothing. */
export const UNOBSERVED: ExchangeObserver = {
  requestBytes: () => undefined,
  responseHead: () => undefined,
  responseBytes: () => undefined,
  ended: () => undefined,
}

/**
 * An observer that copies an exchange, and calls `finished` once, at its end, with a promise of what was read of it and
 * what was `begun`; the promise never rejects.
 */
export const observeExchange = (
  wire: Wire,
  { headers }: IncomingMessage,
  now: () => number,
  allowance: CopyAllowance,
  finished: (exchange: Promise<FinishedExchange>) => void,
  begun?: PassedBy,
): ExchangeObserver => {
  const body = new BodyCopy(allowance)
  const reply = new ReplyCopy(wire, now(), now)
  const unread: Uint8Array[] = []
  const readOn = (): void => {
    for (const chunk of unread.splice(0)) reply.take(chunk)
  }
  return {
    requestBytes: (chunk) => body.take(chunk),
    responseHead: (head) => reply.head(head),
    // Read when they are with the client: they are written at the end of this turn of the loop.
    responseBytes: (chunk) => {
      if (unread.push(chunk) === 1) setImmediate(readOn)
    },
    /** Reads what is left of the reply, and hands over the exchange; called once, last. */
    ended: (end) => {
      readOn()
      const at = now()
      /** What was read of the exchange by its end (`at`): request, reply, and what was `begun`. Never rejects. */
      const collect = async (): Promise<FinishedExchange> => ({
        wire,
        headers,
        request: await body.text(headerOf(headers, 'content-encoding')),
        requestBytes: body.bytes,
        reply: await reply.end(end === 'whole' ? undefined : CUTS[end](), at),
        at,
        begun,
      })
      finished(collect())
    },
  }
}
