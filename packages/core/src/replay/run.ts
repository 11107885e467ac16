/** Drives a policy over a recorded session as if it were live, and counts what that costs and loses. */
import { resultKind, type BlockKind } from '../context/view-block.ts'
import type { ContextPrices, Policy } from '../context/policy.ts'
import { createContext, type Prepared, type PreparedBlock } from '../context/create-context.ts'
import type { ThinkingSignature } from '../models/known-models.ts'
import { modelFacts } from '../models/model-facts.ts'
import type { LogEntry } from '../session-log.ts'
import { createCosts, type CostByClass } from './costs.ts'
import { partsOfBlockKey, blockKey, type Needs, type BlockKey } from './needs.ts'
import { isChange, type Trajectory, type Turn } from './trajectory.ts'
import { createVisible, type Visible } from './visible.ts'

export interface ReplaySettings {
  /** The model's window, tokens. */
  readonly window: number
  /** Tokens of system prompt and tools. */
  readonly prefix: number
  /** Seconds that the provider keeps a prefix after its last use; 0: there is no cache, and no hit is counted. */
  readonly cacheLifetime: number
  readonly prices: ContextPrices
  readonly charactersPerToken: number
  /** Tokens that the policy is to keep free for the reply. */
  readonly reply: number
  /** What the signatures of reasoning are bound to; default as with the model of the session's last reply. */
  readonly thinkingSignature?: ThinkingSignature
}

/** What tokens of a request are spent on: a kind of tool, or an author. */
export type TokenUse =
  | 'prefix'
  | 'user'
  | 'program'
  | 'replies'
  | 'reasoning'
  | 'reads'
  | 'edits'
  | 'commands'
  | 'searches'
  | 'otherTools'
  | 'inserted'

export interface PolicyReplay {
  readonly policy: string
  readonly requests: number
  readonly costUsd: number
  readonly costWithRestoresUsd: number
  /** `costWithRestoresUsd` by what it was paid for. */
  readonly costByClass: CostByClass
  /** The share of all input tokens that was read from the cache. */
  readonly cacheHitRatio: number
  /** The largest input of a request, tokens. */
  readonly peakTokens: number
  /** How often a block was shortened or removed. */
  readonly removals: number
  readonly rewrites: number
  /** Requests whose input is larger than the window. */
  readonly overflows: number
  readonly references: number
  readonly anchors: number
  readonly referencesVisible: number
  readonly anchorsVisible: number
  /** References and anchors that were not visible. */
  readonly missedReferences: number
  /** The same, not counting a digest as visible. */
  readonly missedContent: number
  /** Input tokens of all requests by the kind of block, the prefix left out. */
  readonly byKind: Readonly<Partial<Record<BlockKind, number>>>
  /** Input tokens of all requests by use. */
  readonly tokensByUse: Readonly<Record<TokenUse, number>>
}

/** What one request was sent with. */
export interface RequestTrace {
  /** From 0. */
  readonly request: number
  readonly at: number | null
  readonly prepared: Prepared
  /** Tokens of the whole input, the prefix included, and those of them that the cache had. */
  readonly inputTokens: number
  readonly readTokens: number
  /** Changes that the recorded agent made before the request, where its own decisions are replayed. */
  readonly recorded: readonly LogEntry[]
  /** Blocks of the request before, as they were there, that these changes removed or shortened. */
  readonly left: readonly PreparedBlock[]
}

/** Most tokens that are kept free for a reply; fewer in a small window, and at most half of what the prefix leaves. */
const REPLY_TOKENS = 8000
const REPLY_SHARE = 0.04

/**
 * Tokens that a policy is told to keep free for the reply, a whole number: at most half of what the window leaves
 * beside the prefix, and never below 0.
 */
export const replyReserve = ({ window, prefix }: Pick<ReplaySettings, 'window' | 'prefix'>): number =>
  Math.floor(Math.min(REPLY_TOKENS, window * REPLY_SHARE, Math.max(0, window - prefix) / 2))

/**
 * Replays a session under a policy and returns its cost, misses and sizes. `onRequest` is called for each request, in
 * order, with what would be sent.
 */
export const replayPolicy = (
  policy: Policy,
  trajectory: Trajectory,
  needs: Needs,
  settings: ReplaySettings,
  onRequest?: (trace: RequestTrace) => void,
): PolicyReplay => {
  const requests = replayRequests(policy, trajectory, needs, settings)
  for (let step = requests.next(); ; step = requests.next()) {
    if (step.done === true) return step.value
    onRequest?.(step.value)
  }
}

/**
 * Replays a session under a policy one request at a time: yields each request as it would be sent, for a caller that
 * writes it down or shows progress, and returns the whole.
 */
export function* replayRequests(
  policy: Policy,
  trajectory: Trajectory,
  needs: Needs,
  settings: ReplaySettings,
): Generator<RequestTrace, PolicyReplay, undefined> {
  const replay = new Replay(policy, trajectory, needs, settings)
  for (const [request, turn] of trajectory.turns.entries()) yield replay.step(request, turn)
  return { policy: policy.name, requests: trajectory.turns.length, ...replay.sums() }
}

/** A policy's run over a session: prepares each request, and counts what it costs and what it can't see. */
class Replay {
  readonly #settings: ReplaySettings
  readonly #needs: Needs
  readonly #context: ReturnType<typeof createContext>
  readonly #visible: Visible
  readonly #costs: ReturnType<typeof createCosts>
  readonly #losses = createLosses()
  readonly #uses = createUses()
  readonly #thinkingSignature: ThinkingSignature
  readonly #counts = { peakTokens: 0, removals: 0, rewrites: 0, overflows: 0 }
  #previous: readonly PreparedBlock[] = []
  /** Blocks that were brought back after a miss, until the next rewrite, with their tokens. */
  #restored = new Map<BlockKey, number>()
  #lastUsed = 0
  #lastAt: number | undefined

  constructor(policy: Policy, trajectory: Trajectory, needs: Needs, settings: ReplaySettings) {
    this.#settings = settings
    this.#needs = needs
    this.#context = createContext(policy, settings.charactersPerToken)
    this.#visible = createVisible(needs)
    this.#costs = createCosts(settings)
    this.#thinkingSignature = settings.thinkingSignature ?? signatureOf(trajectory)
  }

  /**
   * Plays the next request: takes what the log had before it, lets the policy prepare it, and counts its cost, its size
   * and what it needed and could not see, which is brought back for later ones. Returns what it is sent with.
   */
  step(request: number, turn: Turn): RequestTrace {
    const { prefix } = this.#settings
    const now = turn.at ?? 0
    this.#context.step(turn.before)
    const prepared = this.#prepare(now)
    // Changes by the log itself: only the policy that plays the agent's own decisions has any.
    const recorded = turn.before.filter(isChange)
    const left = recorded.length === 0 ? [] : leftBlocks(this.#previous, prepared.blocks)
    this.#countChanges(prepared, recorded.length, left.length)

    const shared = this.#show(prepared.blocks)
    const inputTokens = prefix + this.#context.view.tokens()
    const carried = sumOf(this.#restored.values())
    const readTokens = this.#costs.request({
      blocks: prepared.blocks,
      shared,
      isWarm: this.#isWarm(now),
      inputTokens,
      outputTokens: turn.outputTokens,
      carried,
    })
    this.#uses.add(prepared.blocks, prefix)
    this.#countSize(inputTokens)
    this.#restoreMissed(request, inputTokens + carried)
    this.#previous = prepared.blocks
    this.#lastUsed = inputTokens + turn.outputTokens
    this.#lastAt = now
    return { request, at: turn.at, prepared, inputTokens, readTokens, recorded, left }
  }

  sums(): Omit<PolicyReplay, 'policy' | 'requests'> {
    return { ...this.#costs.sums(), ...this.#counts, ...this.#losses.sums(), ...this.#uses.sums() }
  }

  /** Prepares the next request as of `now` (ms) with the replay's window, prices and prefix. */
  #prepare(now: number): Prepared {
    const { window, prefix, reply, prices, cacheLifetime } = this.#settings
    return this.#context.prepare({
      now,
      window,
      availableTokens: Math.max(0, window - prefix - reply),
      prefix,
      lastUsed: this.#lastUsed,
      prices,
      cacheLifetime,
      refusals: 0,
      thinkingSignature: this.#thinkingSignature,
    })
  }

  /**
   * Counts the rewrites and the blocks changed, including `recorded` changes of the agent's own, by which `left` blocks
   * went.
   */
  #countChanges({ entriesToAppend }: Prepared, recorded: number, left: number): void {
    this.#counts.rewrites += entriesToAppend.length + recorded
    this.#counts.removals += left
    for (const { changes } of entriesToAppend) this.#counts.removals += changes.length
  }

  /** Counts the size of a request: the largest so far, and whether it was above the window. */
  #countSize(inputTokens: number): void {
    this.#counts.peakTokens = Math.max(this.#counts.peakTokens, inputTokens)
    if (inputTokens > this.#settings.window) this.#counts.overflows += 1
  }

  /**
   * Takes over what the request shows; returns how many blocks at its start are as in the request before. Where a block
   * of that one changed or left, what was brought back after misses is forgotten.
   */
  #show(blocks: readonly PreparedBlock[]): number {
    const shared = commonBlocks(this.#previous, blocks)
    if (shared < this.#previous.length) this.#restored = new Map()
    this.#visible.change(this.#previous.slice(shared), -1)
    this.#visible.change(blocks.slice(shared), 1)
    return shared
  }

  /** Whether the provider still has the prefix of the request before. */
  #isWarm(now: number): boolean {
    const { cacheLifetime } = this.#settings
    return cacheLifetime > 0 && this.#lastAt !== undefined && now - this.#lastAt <= cacheLifetime * 1000
  }

  /**
   * Brings back the blocks that the request needed and did not see, at the cost of a further request each; they count
   * as seen until the next rewrite.
   */
  #restoreMissed(request: number, inputTokens: number): void {
    for (const key of this.#losses.of(this.#needs.turns[request], this.#visible, this.#restored)) {
      const { seq, block } = partsOfBlockKey(key)
      const tokens = this.#context.view.block(seq, block)?.tokens ?? 0
      this.#costs.restore(inputTokens, tokens)
      this.#restored.set(key, tokens)
    }
  }
}

/** How long signatures of the session's last model are good. Those of an unknown model where none is named. */
const signatureOf = ({ turns }: Trajectory): ThinkingSignature => {
  const model = turns.findLast(({ reply }) => reply[0]?.model !== undefined)?.reply[0]?.model
  return modelFacts(model ?? '').thinkingSignature
}

/** Blocks that are not in the next request, or not as they were. In the order of the earlier request. */
const leftBlocks = (before: readonly PreparedBlock[], after: readonly PreparedBlock[]): readonly PreparedBlock[] => {
  const now = new Map(after.map(({ block, content }) => [blockKey(block.source.seq, block.source.block), content]))
  return before.filter(({ block, content }) => {
    const next = now.get(blockKey(block.source.seq, block.source.block))
    return next !== content && JSON.stringify(next) !== JSON.stringify(content)
  })
}

const sumOf = (values: Iterable<number>): number => {
  let sum = 0
  for (const value of values) sum += value
  return sum
}

/** How many blocks at the start are the same in both requests: what the provider's cache can have. */
const commonBlocks = (left: readonly PreparedBlock[], right: readonly PreparedBlock[]): number => {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const [before, now] = [left[index], right[index]]
    if (
      before?.block !== now?.block ||
      (before?.content !== now?.content && JSON.stringify(before?.content) !== JSON.stringify(now?.content))
    )
      return index
  }
  return length
}

/** Counts what was needed and what of it could be seen. */
const createLosses = () => {
  const counts = {
    referencesVisible: 0,
    anchorsVisible: 0,
    references: 0,
    anchors: 0,
    missedReferences: 0,
    missedContent: 0,
  }
  return {
    /**
     * Counts a request's references and anchors, and those not visible. Returns the keys of the blocks that it needed
     * and did not see; a digest that has the name is enough for a reference.
     */
    of: (
      needed: Needs['turns'][number] | undefined,
      visible: Visible,
      restored: ReadonlyMap<BlockKey, number>,
    ): ReadonlySet<BlockKey> => {
      const lost = new Set<BlockKey>()
      for (const { name, source } of needed?.references ?? []) {
        const isContent = restored.has(source) || visible.hasContent(name)
        const isVisible = isContent || visible.hasDigest(name)
        counts.references += 1
        if (!isContent) counts.missedContent += 1
        if (isVisible) counts.referencesVisible += 1
        else {
          counts.missedReferences += 1
          lost.add(source)
        }
      }
      for (const anchor of needed?.anchors ?? []) {
        counts.anchors += 1
        if (restored.has(anchor.source) || visible.hasAnchor(anchor)) counts.anchorsVisible += 1
        else {
          counts.missedReferences += 1
          counts.missedContent += 1
          lost.add(anchor.source)
        }
      }
      return lost
    },
    sums: () => counts,
  }
}

/** Sums of tokens by kind of block and by use, over all requests. `sums` are the same object at each call. */
const createUses = () => {
  const byKind: Partial<Record<BlockKind, number>> = {}
  const tokensByUse: Record<TokenUse, number> = {
    prefix: 0,
    user: 0,
    program: 0,
    replies: 0,
    reasoning: 0,
    reads: 0,
    edits: 0,
    commands: 0,
    searches: 0,
    otherTools: 0,
    inserted: 0,
  }
  return {
    /**
     * Adds a request's tokens to the sums by kind and by use; `prefix` are those of system prompt and tools. A call
     * counts for the use of its result.
     */
    add: (blocks: readonly PreparedBlock[], prefix: number): void => {
      tokensByUse.prefix += prefix
      for (const { block, tokens } of blocks) {
        byKind[block.kind] = (byKind[block.kind] ?? 0) + tokens
        tokensByUse[USES[block.kind === 'call' ? resultKind(block.tool ?? '', block.operations) : block.kind]] += tokens
      }
    },
    sums: () => ({ byKind, tokensByUse }),
  }
}

const USES: Readonly<Record<BlockKind, TokenUse>> = {
  user: 'user',
  program: 'program',
  summary: 'program',
  system: 'program',
  reply: 'replies',
  thinking: 'reasoning',
  call: 'otherTools',
  result: 'otherTools',
  read: 'reads',
  edit: 'edits',
  command: 'commands',
  search: 'searches',
  inserted: 'inserted',
}
