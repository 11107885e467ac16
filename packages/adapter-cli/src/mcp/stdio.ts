/** The server over standard input and output, for the one client that started it; it ends with the client. */
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { messageOf } from '@cairn/core'
import type { CairnMcpServer } from './server.ts'
import { createStdioTransport } from './stdio-transport.ts'

/** The streams, and who is told of problems. */
export interface StdioServerInput {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  /** Prints a sentence to standard error, which clients keep as a log. */
  readonly report: (sentence: string) => void
  readonly debug: (sentence: string) => void
}

/** How long requests may still be answered after the input has ended. */
const LAST_ANSWERS_MS = 300
const MOST_MESSAGE_BYTES = 4 * 1024 * 1024

/**
 * Serves until the client is gone: its input has ended, or nobody reads the output. Running requests get a moment to be
 * answered. Resolves to the exit code, 1 if a stream broke.
 */
export const serveStdio = async (
  { connect, idle }: Pick<CairnMcpServer, 'connect' | 'idle'>,
  { input, output, report, debug }: StdioServerInput,
): Promise<0 | 1> => {
  const ended = new Promise<0 | 1>((resolve) => {
    /** What is done when a stream fails: code 1 and a report, but 0 and silence where the client has gone. */
    const broken =
      (what: string) =>
      (error: NodeJS.ErrnoException): void => {
        // EPIPE only means that the client has gone.
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
  // One turn of the event loop for requests just read to begin, and one for their answers to be written.
  await Promise.race([
    nextTurn()
      .then(idle)
      .then(() => nextTurn()),
    wait(LAST_ANSWERS_MS, undefined, { signal: giveUp.signal }).catch(() => undefined),
  ])
  giveUp.abort()
  return exitCode
}
