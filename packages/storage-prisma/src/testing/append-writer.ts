/**
 * One of several processes that append to one store; started by `append-together.ts`. It has two sessions
 * of its own and shares one with all others, and notes every append in a file as soon as it has been
 * acknowledged, so that the file outlives a kill.
 *
 * Arguments: address, number of the writer, seconds, file.
 */
import { appendFileSync } from 'node:fs'
import type { EntryWrite, SessionFacts } from '@cairn/core'
import { openStore } from '../open-store.ts'
import { SHARED_SESSION } from './acknowledgement.ts'
import type { Acknowledgement } from './acknowledgement.ts'

/** One append in so many is long enough for a block of its own. */
const LONG_TEXT_EVERY = 7

const [address = '', writer = '', seconds = '', file = ''] = process.argv.slice(2)
const store = await openStore(address)
const endAt = performance.now() + Number(seconds) * 1_000
let conflicts = 0

/** The facts of a writer's session of this name. */
const factsOf = (name: string): SessionFacts => ({
  id: `cairn:${name}`,
  agent: 'cairn',
  externalId: name,
  workspace: `/work/${writer}`,
  branch: 'main',
})

/**
 * A message with a request, as the `count`th of a lane: all figures follow from that, and every so many texts are long.
 */
const writeOf = (
  messageId: string,
  count: number,
  at: number,
): { readonly write: EntryWrite; readonly outputTokens: number; readonly costNano: number } => {
  const outputTokens = 1 + (count % 1_000)
  const costNano = outputTokens * 25_000 + count
  const text =
    count % LONG_TEXT_EVERY === 0 ? `${messageId} ${'and on it goes '.repeat(60)}${count % 50}` : `said ${messageId}`
  const write: EntryWrite = {
    entry: { kind: 'message', id: messageId, at, role: 'assistant', content: [{ type: 'text', text }] },
    externalId: messageId,
    request: {
      callId: messageId,
      at,
      model: `model-${count % 3}`,
      inputTokens: 3,
      cacheReadTokens: 1_000,
      cacheWrite5mTokens: 20,
      cacheWrite1hTokens: 0,
      outputTokens,
      costNano: BigInt(costNano),
      costState: 'computed',
    },
    visibleCharacters: 10,
  }
  return { write, outputTokens, costNano }
}

/**
 * Appends one message after the other until the time is up; a conflict says where to try again. Each acknowledged one
 * is noted in the file.
 */
const lane = async (name: string): Promise<void> => {
  const session = factsOf(name)
  let seq = (await store.sessions.get(session.id))?.entries ?? 0
  for (let count = 0; performance.now() < endAt; count += 1) {
    const messageId = `${name}-${writer}-${count}`
    const { write, outputTokens, costNano } = writeOf(messageId, count, Date.now())
    const startedAt = performance.now()
    for (;;) {
      const result = await store.sessions.append(session, seq, [write])
      if (result.ok) {
        const noted: Acknowledgement = [
          session.id,
          seq,
          messageId,
          outputTokens,
          costNano,
          performance.now() - startedAt,
        ]
        appendFileSync(file, `${JSON.stringify(noted)}\n`)
        seq = result.value.nextSeq
        break
      }
      conflicts += 1
      seq = result.error.actualSeq
    }
  }
}

await Promise.all([lane(`own-${writer}-a`), lane(`own-${writer}-b`), lane(SHARED_SESSION)])
await store.close()
process.stdout.write(String(conflicts))
