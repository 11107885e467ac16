/** Reads what an agent writes to a hook's standard input, completely but only up to a maximum size. */
import { fstatSync, readFileSync } from 'node:fs'

/** The largest input that is read. */
const MOST_MIB = 16
const MOST_BYTES = MOST_MIB << 20

const tooLarge = (): Error => new Error(`standard input is larger than ${MOST_MIB} MiB; nothing of it was read`)

/**
 * Returns all of standard input as UTF-8, waiting for its end; empty for a terminal and for `/dev/null`. Rejects with
 * an error to log if it is larger than 16 MiB.
 */
export const readStandardInput = async (): Promise<string> => {
  const facts = fstatSync(0)
  // A terminal, or the device that holds nothing.
  if (facts.isCharacterDevice()) return ''
  if (facts.isFile()) {
    if (facts.size > MOST_BYTES) throw tooLarge()
    return readFileSync(0, 'utf8')
  }
  // Not by reading the descriptor: a read that waits for whoever holds the pipe open would hold up the process's end.
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MOST_BYTES) throw tooLarge()
  }
  return Buffer.concat(chunks).toString('utf8')
}
