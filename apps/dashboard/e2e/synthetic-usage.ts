/** Fills a store with requests that look like a team's: several agents, models and projects, and every state a number can have. */
import type { CostState, EntryWrite, Store } from '@cairn/core'

const DAY_MS = 86_400_000

const MODELS = [
  { name: 'claude-sonnet-4-5', nanoPerToken: 300n, state: 'computed' },
  { name: 'claude-opus-4-5', nanoPerToken: 900n, state: 'computed' },
  { name: 'gpt-5.1-codex', nanoPerToken: 200n, state: 'recorded' },
  { name: 'in-house/coder-32b', nanoPerToken: undefined, state: 'unpriced' },
] as const satisfies readonly { readonly name: string; readonly nanoPerToken: bigint | undefined; readonly state: CostState }[]

/** One of them tries to be markup. */
const PROJECTS = ['/home/ann/code/checkout', '/home/ann/code/search-api', '/srv/build/mobile-app', '/home/bo/<img src=x onerror=alert(1)>', 'C:\\work\\billing']

/** A small generator with a seed (mulberry32), so that every run fills the same store. */
const random = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Appends `count` requests in sessions of 8 over the 80 days before `now` (ms).
 * @param tag keeps the ids of two fillings apart
 */
export const fillStore = async (store: Store, count: number, now: number, tag = 'a'): Promise<void> => {
  const next = random(20_260_131)
  const pick = <T>(items: readonly [T, ...T[]] | readonly T[]): T => {
    const item = items[Math.floor(next() ** 1.7 * items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  const session = 8
  for (let first = 0; first < count; first += session) {
    const workspace = pick(PROJECTS)
    const begin = now - Math.floor(next() * 80) * DAY_MS - Math.floor(next() * DAY_MS)
    const externalId = `${tag}-session-${first}`
    let context = 12_000
    const writes: EntryWrite[] = []
    for (let index = first; index < Math.min(first + session, count); index += 1) {
      const model = pick(MODELS)
      const at = begin + (index - first) * 40_000
      const grown = Math.floor(next() * 4_000)
      const output = 60 + Math.floor(next() * 1_800)
      const tokens = { inputTokens: 4 + Math.floor(next() * 400), cacheReadTokens: context, cacheWrite5mTokens: index % 3 === 0 ? 0 : grown, cacheWrite1hTokens: index % 3 === 0 ? grown : 0 }
      context += grown
      const id = `${tag}-${index}`
      writes.push({
        entry: { kind: 'message', at, role: 'assistant', id, content: [{ type: 'text', text: `Reply ${id}` }] },
        externalId: id,
        // Every fortieth reply shows more than was counted.
        visibleCharacters: index % 40 === 7 ? output * 9 : output * 2,
        request: {
          callId: id,
          at,
          model: model.name,
          ...tokens,
          outputTokens: output,
          costNano: model.nanoPerToken === undefined ? null : model.nanoPerToken * BigInt(context + output * 50),
          costState: model.state,
        },
      })
    }
    const result = await store.sessions.append({ id: `cairn:${externalId}`, agent: 'cairn', externalId, workspace, branch: 'main' }, 0, writes)
    if (!result.ok) throw new Error('the synthetic sessions are not the only ones of their name')
  }
}
