/** A session in which money is wasted: pauses, a read of known lines, output that nobody used, replies recorded in part. */
import type { ContentBlock, EntryWrite, NewLogEntry, RequestFact, Store } from '@cairn/core'

export const LEAKING_SESSION = 'claude-code:leaking-session'

const MODEL = 'claude-opus-4-5'
const MINUTE = 60_000
/** Nano-USD a token: read, written, output. */
const [READ, WRITE, OUTPUT] = [500n, 6_250n, 25_000n]

const lines = (count: number): string =>
  Array.from({ length: count }, (_, line) => `${line + 1}→export const line${line} = total(${line})`).join('\n')

/**
 * Appends the session: two days, with a pause between and one within each.
 * @param now when it ends, ms
 */
export const addLeakingSession = async (store: Store, now: number): Promise<void> => {
  const writes: EntryWrite[] = []
  // The second day is today, whatever the hour.
  const midnight = Math.floor(now / 86_400_000) * 86_400_000
  let at = midnight - 3 * 60 * MINUTE
  const say = (role: 'user' | 'assistant' | 'tool', content: readonly ContentBlock[], request?: RequestFact): void => {
    const entry: NewLogEntry = { kind: 'message', id: `e${writes.length}`, at, role, content }
    writes.push({ entry, ...(request === undefined ? {} : { request, visibleCharacters: 2_000 }) })
  }
  const request = (read: number, written: number): RequestFact => {
    const costSplit = {
      cacheReadNano: BigInt(read) * READ,
      cacheWriteNano: BigInt(written) * WRITE,
      outputNano: 5n * OUTPUT,
      savedNano: 0n,
    }
    return {
      callId: `c${writes.length}`,
      at,
      model: MODEL,
      workspace: '/home/ann/leaks',
      inputTokens: 0,
      cacheReadTokens: read,
      cacheWrite5mTokens: written,
      cacheWrite1hTokens: 0,
      outputTokens: 5,
      costNano: costSplit.cacheReadNano + costSplit.cacheWriteNano + costSplit.outputNano,
      costState: 'computed',
      costSplit,
      outputRate: OUTPUT * 1_000_000n,
    }
  }
  let context = 30_000
  for (let turn = 0; turn < 12; turn++) {
    if (turn === 6) at = midnight
    // Every third turn comes after a pause: nothing is read then.
    const isCold = turn % 3 === 0
    say('user', [{ type: 'text', text: `Go on with step ${turn}, please.` }])
    at += turn === 0 || turn === 6 ? 1 : (isCold ? 20 : 1) * 1_000 * (turn < 6 ? 60 : 0.01)
    const grown = 900 + 70 * turn
    const call = {
      type: 'tool_call',
      id: `t${turn}`,
      name: 'Read',
      input: { file_path: `/src/${turn % 2}.ts` },
    } as const
    say('assistant', [call], isCold ? request(0, context + grown) : request(context, grown))
    context += grown
    say('tool', [{ type: 'tool_result', callId: call.id, content: [{ type: 'text', text: lines(60) }] }])
  }
  await store.sessions.append(
    {
      id: LEAKING_SESSION,
      agent: 'claude-code',
      externalId: 'leaking-session',
      workspace: '/home/ann/leaks',
      title: 'Money leaks here',
    },
    0,
    writes,
  )
}
