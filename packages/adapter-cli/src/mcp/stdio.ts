/** The server over standard input and output: for one client, which started it and with which it ends. */
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { messageOf } from '@cairn/core'
import type { CairnMcpServer } from './server.ts'
import { createStdioTransport } from './stdio-transport.ts'

export interface StdioServerInput {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  /** Standard error is the client's log. */
  readonly report: (sentence: string) => void
  readonly debug: (sentence: string) => void
}

/** What was asked before the input ended may still be answered for so long, ms. */
const LAST_ANSWERS_MS = 300
const MOST_MESSAGE_BYTES = 4 * 1024 * 1024

/** Serves until the client is gone: its end of the input is closed, or nobody reads the output. Gives the exit code. */
export const serveStdio = async (
  { connect, idle }: Pick<CairnMcpServer, 'connect' | 'idle'>,
  { input, output, report, debug }: StdioServerInput,
): Promise<0 | 1> => {
  const ended = new Promise<0 | 1>((resolve) => {
    const broken =
      (what: string) =>
      (error: NodeJS.ErrnoException): void => {
        // A client that is gone reads no more: no fault of anybody.
        if (error.code !== 'EPIPE') report(`${what} broke: ${messageOf(error)}.`)
        resolve(error.code === 'EPIPE' ? 0 : 1)
      }
    input.once('end', () => resolve(0))
    input.once('close', () => resolve(0))
    input.once('error', broken('Standard input'))
    output.once('error', broken('Standard output'))
  })
  await connect(createStdioTransport({ input, output, mostMessageBytes: MOST_MESSAGE_BYTES, report, debug }))
  const exitCode = await ended
  const giveUp = new AbortController()
  // A turn for what was just read to begin, one for what it answered to be written.
  await Promise.race([
    nextTurn()
      .then(idle)
      .then(() => nextTurn()),
    wait(LAST_ANSWERS_MS, undefined, { signal: giveUp.signal }).catch(() => undefined),
  ])
  giveUp.abort()
  return exitCode
}
