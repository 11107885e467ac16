/** Sends an answer, with the fault that was asked for. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Fault } from './faults.ts'
import type { Wire, WireEvent } from './wire.ts'

export interface Sent {
  readonly isComplete: boolean
  readonly produced: number
  readonly reported: WireEvent['reported']
}

/** An event as it is sent, in the wire's framing. */
const eventText = ({ framing }: Wire, event: WireEvent, lineEnd = '\n'): string => {
  const data = typeof event.data === 'string' ? event.data : JSON.stringify(event.data)
  if (framing === 'lines') return `${data}${lineEnd}`
  return `${event.name === undefined ? '' : `event: ${event.name}${lineEnd}`}data: ${data}${lineEnd}${lineEnd}`
}

/** The `content-type` header of a stream of events in the wire's framing. */
export const streamType = ({ framing }: Wire): { readonly 'content-type': string } => ({
  'content-type': framing === 'lines' ? 'application/x-ndjson' : 'text/event-stream; charset=utf-8',
})

/** An answer that is being sent. */
export interface Channel {
  readonly response: ServerResponse
  /** The connection is closed, by whom ever. */
  readonly closed: Promise<unknown>
  readonly isClosed: () => boolean
}

/** An answer with what the server has to know of its connection; `closed` resolves when that is closed, whoever did it. */
export const openChannel = (response: ServerResponse): Channel => ({
  response,
  closed: response.destroyed ? Promise.resolve() : once(response, 'close'),
  isClosed: () => response.destroyed,
})

/** Writes bytes, and waits while the client reads more slowly than is written. At once if it has gone. */
const write = async ({ response, closed, isClosed }: Channel, bytes: string | Uint8Array): Promise<void> => {
  if (isClosed() || response.write(bytes)) return
  let go: () => void = () => undefined
  const drained = new Promise<void>((resolve) => (go = resolve))
  response.once('drain', go)
  await Promise.race([drained, closed])
  response.off('drain', go)
}

/** Breaks the connection behind what was written; before the headers were sent, without an answer. */
export const cut = async ({ response }: Channel): Promise<void> => {
  const { socket } = response
  if (response.headersSent) await new Promise<void>((resolve) => response.write('\n', () => resolve()))
  socket?.destroy()
}

/** Waits so many ms, or until the client has gone. */
const sleep = async ({ closed }: Channel, ms: number): Promise<void> => {
  let wake: () => void = () => undefined
  const slept = new Promise<void>((resolve) => (wake = resolve))
  const timer = setTimeout(wake, ms)
  await Promise.race([slept, closed])
  clearTimeout(timer)
}

/**
 * Tells when a fault is to strike: `strikes` says whether now, before `next` is sent; at the last event in any case.
 * `sent` counts events.
 */
const createTrigger = (fault: Fault | undefined) => {
  let sent = 0
  let texts = 0
  let inputs = 0
  return {
    strikes: (next: WireEvent): boolean => {
      if (fault === undefined || !('at' in fault)) return false
      if (next.mark === 'last') return true
      if (fault.at === 'after-first-event') return sent > 0
      if (fault.at === 'in-text') return texts > 0
      if (fault.at === 'in-tool-input') return inputs > 0
      return fault.at !== 'before-last-event'
    },
    sent: (event: WireEvent): void => {
      sent += 1
      if (event.mark === 'text') texts += 1
      if (event.mark === 'tool-input') inputs += 1
    },
  }
}

/** Does what the fault does. @returns whether the answer ends with it */
const strike = async (wire: Wire, fault: Fault, channel: Channel): Promise<boolean> => {
  const { response } = channel
  switch (fault.kind) {
    case 'stall':
      await channel.closed
      return true
    case 'cut':
      await cut(channel)
      return true
    case 'end':
      response.end()
      return true
    case 'error-event':
      response.end(eventText(wire, wire.errorEvent({ condition: fault.as, message: messageOf(fault.as) })))
      return true
    case 'malformed':
      await write(
        channel,
        `${wire.framing === 'lines' ? '' : 'event: message\ndata: '}{"type":"broken","index":0,"del\n\n`,
      )
      return false
    case 'unknown-event':
      await write(channel, eventText(wire, wire.unknownEvent()))
      return false
    default:
      return false
  }
}

/** What a provider tells with a scripted error, which names its condition. */
export const messageOf = (condition: string): string => `Scripted failure: ${condition}.`

/**
 * Streams the events. Resolves when the answer has ended, whoever ended it. What it resolves to says how far it came:
 * whether the last event was sent, what was produced, and what was reported of the bill.
 */
export const sendEvents = async (
  wire: Wire,
  events: Iterable<WireEvent>,
  channel: Channel,
  fault: Fault | undefined,
): Promise<Sent> => {
  const trigger = createTrigger(fault)
  let progress: { isComplete: boolean; produced: number; reported: WireEvent['reported'] } = {
    isComplete: false,
    produced: 0,
    reported: undefined,
  }
  let hasStruck = false
  channel.response.flushHeaders()
  for (const event of events) {
    if (channel.isClosed()) return progress
    if (fault !== undefined && !hasStruck && trigger.strikes(event)) {
      hasStruck = true
      if (await strike(wire, fault, channel)) return progress
    }
    if (hasStruck && fault?.kind === 'slow') await sleep(channel, fault.delayMs)
    await sendEvent(wire, channel, event, fault)
    trigger.sent(event)
    progress = {
      isComplete: progress.isComplete || event.mark === 'last',
      produced: event.produced ?? progress.produced,
      reported: event.reported ?? progress.reported,
    }
  }
  channel.response.end()
  return progress
}

/** What keeps the connection alive between events; lines of JSON have only empty ones. */
const comment = ({ framing }: Wire): string => (framing === 'lines' ? '' : ': still here')

/** Sends an event; the fault may add comments or split its bytes. */
const sendEvent = async (wire: Wire, channel: Channel, event: WireEvent, fault: Fault | undefined): Promise<void> => {
  if (fault?.kind === 'comments') await write(channel, `${comment(wire)}\r\n\r\n${eventText(wire, event, '\r\n')}`)
  else if (fault?.kind === 'split') {
    const bytes = Buffer.from(eventText(wire, event))
    for (let start = 0; start < bytes.length; start += fault.bytes) {
      await write(channel, bytes.subarray(start, start + fault.bytes))
      // Lets the piece leave on its own.
      await new Promise((resolve) => setImmediate(resolve))
    }
  } else await write(channel, eventText(wire, event))
}
