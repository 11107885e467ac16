/** Fills a store with requests that look like a team's: several agents, models and projects, and every state a number can have. */
import type { CostState, EntryWrite, RequestFact, Store } from '@cairn/core'

const DAY_MS = 86_400_000

const MODELS = [
  { name: 'claude-sonnet-4-5', inputNano: 3_000n, state: 'computed' },
  { name: 'claude-opus-4-5', inputNano: 5_000n, state: 'computed' },
  { name: 'gpt-5.1-codex', inputNano: 1_250n, state: 'recorded' },
  { name: 'in-house/coder-32b', inputNano: undefined, state: 'unpriced' },
] as const satisfies readonly {
  readonly name: string
  readonly inputNano: bigint | undefined
  readonly state: CostState
}[]

export const MODEL_NAMES: readonly string[] = MODELS.map(({ name }) => name)
export const AGENTS = ['claude-code', 'codex', 'cline', 'cairn'] as const
export const BRANCHES = ['main', 'feature/search', 'fix/checkout-total'] as const

/** One of them tries to be markup. */
export const PROJECTS = [
  '/home/ann/code/checkout',
  '/home/ann/code/search-api',
  '/srv/build/mobile-app',
  '/home/bo/<img src=x onerror=alert(1)>',
  'C:\\work\\billing',
] as const

const TASKS = [
  'Fix the total of the basket',
  'Paginate search results',
  'Why is the build slow?',
  'Add a retry to the payment client',
  'Rename the order states',
  'Tests for the importer',
  '<b>Bold</b> titles are text',
] as const

/** A small generator with a seed (mulberry32) of numbers from 0 to below 1, so that every run fills the same store. */
export const random = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Tokens = Pick<
  RequestFact,
  'inputTokens' | 'cacheReadTokens' | 'cacheWrite5mTokens' | 'cacheWrite1hTokens' | 'outputTokens'
>

/** What a request cost, by the usual ratios of a price list. */
const priced = (
  model: (typeof MODELS)[number],
  tokens: Tokens,
): Pick<RequestFact, 'costNano' | 'costState' | 'costSplit'> => {
  const { inputNano, state } = model
  if (inputNano === undefined) return { costNano: null, costState: state }
  const [plain, reads, short, long, output] = [
    tokens.inputTokens,
    tokens.cacheReadTokens,
    tokens.cacheWrite5mTokens,
    tokens.cacheWrite1hTokens,
    tokens.outputTokens,
  ].map(BigInt)
  const inputCost = inputNano * (plain ?? 0n)
  const cacheReadNano = (inputNano * (reads ?? 0n)) / 10n
  const cacheWriteNano = (inputNano * 5n * (short ?? 0n)) / 4n + inputNano * 2n * (long ?? 0n)
  const outputNano = inputNano * 5n * (output ?? 0n)
  const costNano = inputCost + cacheReadNano + cacheWriteNano + outputNano
  const savedNano = inputNano * ((reads ?? 0n) + (short ?? 0n) + (long ?? 0n)) - cacheReadNano - cacheWriteNano
  // A recorded cost is not told apart by class.
  return state === 'recorded'
    ? { costNano, costState: state }
    : { costNano, costState: state, costSplit: { cacheReadNano, cacheWriteNano, outputNano, savedNano } }
}

/**
 * Appends `count` requests in sessions of 8 over the 80 days before `now` (ms). The same arguments give the same ones;
 * rejects where they are there already.
 * @param tag keeps the ids of two fillings apart
 */
export const fillStore = async (store: Store, count: number, now: number, tag = 'a'): Promise<void> => {
  const next = random(20_260_131)
  const pick = <T>(items: readonly T[]): T => {
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
      const tokens = {
        inputTokens: 4 + Math.floor(next() * 400),
        cacheReadTokens: context,
        cacheWrite5mTokens: index % 3 === 0 ? 0 : grown,
        cacheWrite1hTokens: index % 3 === 0 ? grown : 0,
        outputTokens: output,
      }
      context += grown
      const id = `${tag}-${index}`
      writes.push({
        entry: { kind: 'message', at, role: 'assistant', id, content: [{ type: 'text', text: `Reply ${id}` }] },
        externalId: id,
        // Every fortieth reply shows more than was counted.
        visibleCharacters: index % 40 === 7 ? output * 9 : output * 2,
        request: { callId: id, at, model: model.name, ...tokens, ...priced(model, tokens) },
      })
    }
    const agent = pick(AGENTS)
    const result = await store.sessions.append(
      { id: `${agent}:${externalId}`, agent, externalId, workspace, branch: pick(BRANCHES), title: pick(TASKS) },
      0,
      writes,
    )
    if (!result.ok) throw new Error('the synthetic sessions are not the only ones of their name')
  }
}
