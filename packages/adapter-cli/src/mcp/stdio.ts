/** The server over standard input and output: for one client, which started it and with which it ends. */
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { CairnMcpServer } from './server.ts'

interface Streams {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
}

/** What was asked before the input ended may still be answered for so long, ms. */
const LAST_ANSWERS_MS = 300
const MOST_MESSAGE_BYTES = 4 * 1024 * 1024

/** Serves until the client is gone: its end of the input is closed, or nobody reads the output. */
export const serveStdio = async ({ mcp, idle }: CairnMcpServer, { input, output }: Streams): Promise<void> => {
  const ended = new Promise<void>((resolve) => {
    input.once('end', resolve)
    input.once('close', resolve)
    output.once('error', () => resolve())
    // A message that is too long to be one: the stream can't be understood any more.
    mcp.server.onclose = resolve
  })
  await mcp.connect(new StdioServerTransport(input, output, { maxBufferSize: MOST_MESSAGE_BYTES }))
  await ended
  const giveUp = new AbortController()
  // A turn for what was just read to begin, one for what it answered to be written.
  await Promise.race([nextTurn().then(idle).then(() => nextTurn()), wait(LAST_ANSWERS_MS, undefined, { signal: giveUp.signal }).catch(() => undefined)])
  giveUp.abort()
}
