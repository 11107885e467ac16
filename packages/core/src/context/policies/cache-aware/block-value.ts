/**
 * How likely a block is needed again within about sixty requests: verbatim, as the anchor of an edit, or for a name
 * that no newer block holds. Two logistic models over what is known at the time. Most of their weight is on the block's
 * kind and age, so that they also work for agents and tools that they were not fitted on (docs/decisions/011).
 */
import { objectOf, stringOf } from '../../../json.ts'
import { textOfJson } from '../../../messages.ts'
import type { ViewBlock } from '../../view-block.ts'
import { createInterner, linesIn, namesIn } from '../../names.ts'
import { plainText } from '../../texts.ts'
import { ANCHOR_WEIGHTS, REFERENCE_WEIGHTS } from './weights.ts'

/** What each block of a conversation is expected to save by staying in the context. */
export interface BlockValue {
  /** Takes the conversation's next block. */
  add(block: ViewBlock): void
  /**
   * Computes the facts of all blocks from this entry on; earlier ones are not asked for again. New blocks are only
   * looked at here, because blocks before the oldest candidate can't change its facts.
   */
  ready(fromSeq: number): void
  /** Forgets everything, for when the conversation is fed again from its beginning. */
  reset(): void
  /** The features of a block for the models; undefined for a block without lines to look up. */
  features(block: ViewBlock, requests: number): readonly number[] | undefined
  /**
   * What a block is expected to save by staying in the context, USD: the probability of each need times the cost of a
   * miss. `requests`: made so far; `missUsd`: what a miss costs.
   */
  value(block: ViewBlock, requests: number, missUsd: number, referenceShare: number): number
}

interface Facts {
  /** Lines that no newer block repeats, and all lines. */
  fresh: number
  readonly lines: number
  /** Calls that repeated any of its lines. */
  hits: number
  /** Whether a later search or command returned one of its lines. */
  isRepeated: boolean
  readonly isRange: boolean
  readonly path: string | undefined
}

/** In characters: shorter lines (brackets, `else {`) occur everywhere and identify nothing. */
const SHORTEST_LINE = 6
const COMMIT = /\bgit\s+(?:-\S+\s+)*commit\b/

/** A record of how often the conversation came back to its blocks, empty at first. Feed it the blocks in order. */
export const createBlockValue = (): BlockValue => new ValueRecord()

/** What was done with a file. */
interface FileUse {
  /** Requests made at the last call that read or edited it; at the last edit, -1 before the first. */
  readonly at: number
  readonly edited: number
  /** Calls that read or edited it. */
  readonly count: number
}

class ValueRecord implements BlockValue {
  /** Numbers lines of text. */
  #lines = createInterner()
  /** By a line's number: the newest block that holds it. */
  #owners: ViewBlock[] = []
  #facts = new Map<ViewBlock, Facts>()
  #files = new Map<string, FileUse>()
  /** Names in the user's messages; of paths their last part. */
  #named = new Set<string>()
  /** Requests made at the user's last words and at the last commit. */
  #lastUser = 0
  #lastCommit = -1
  /** Blocks whose lines were not looked at yet. */
  #pending: ViewBlock[] = []

  /**
   * Takes the view's next block: names that the user says, files that a call touches, commits. The lines of results and
   * calls are only looked at by `ready`.
   */
  add(block: ViewBlock): void {
    if (block.kind === 'user') {
      this.#lastUser = block.request
      for (const name of namesIn(plainText(block))) this.#named.add(lastPart(name))
    }
    if (block.kind === 'call') {
      for (const { path, operation } of block.operations) this.#touch(path, block.request, operation === 'edit')
      if (COMMIT.test(commandOf(block))) this.#lastCommit = block.request
    }
    if (block.source.original.type === 'tool_result' || block.kind === 'call') this.#pending.push(block)
  }

  /** Reads the pending blocks from an entry on, so that their values can be asked for; earlier ones get no facts. */
  ready(fromSeq: number): void {
    for (const block of this.#pending) if (block.source.seq >= fromSeq) this.#read(block)
    this.#pending = []
  }

  /** Forgets everything that was taken. */
  reset(): void {
    this.#lines = createInterner()
    this.#owners = []
    this.#facts = new Map()
    this.#files = new Map()
    this.#named = new Set()
    this.#lastUser = 0
    this.#lastCommit = -1
    this.#pending = []
  }

  /**
   * What the weights are for, in their order; undefined for a block that has no facts, such as text.
   * @param requests the number of requests so far
   */
  features(block: ViewBlock, requests: number): readonly number[] | undefined {
    const facts = this.#facts.get(block)
    if (facts === undefined) return undefined
    const share = facts.fresh / facts.lines
    const file = facts.path === undefined ? undefined : this.#files.get(facts.path)
    const since = file !== undefined && file.at > block.request ? requests - file.at : -1
    const isEditCall = block.kind === 'call' && block.operations[0]?.operation === 'edit'
    return [
      1,
      flag(block.kind === 'read'),
      flag(block.kind === 'edit'),
      flag(isEditCall),
      flag(block.kind === 'call' && !isEditCall),
      flag(block.kind === 'search'),
      flag(block.kind === 'result'),
      share,
      flag(facts.fresh === 0),
      flag(share < 0.1),
      Math.log(Math.max(1, requests - block.request)),
      Math.log(1 + facts.hits),
      flag(facts.isRepeated),
      flag(facts.isRange),
      Math.log(Math.max(1, block.characters)),
      flag(since >= 0 && since <= 2),
      flag(since > 2 && since <= 40),
      flag(file !== undefined && file.edited > block.request),
      flag(this.#lastUser > block.request),
      flag(this.#lastCommit > block.request),
      file === undefined ? 0 : Math.log(1 + file.count),
      flag(facts.path !== undefined && this.#named.has(lastPart(facts.path))),
    ]
  }

  /**
   * The expected cost in USD of not having a block: `missUsd` times the chance that an edit needs it as its anchor,
   * plus `missUsd` times `referenceShare` times the chance that it is referred to. 0 for a block that has no facts.
   */
  value(block: ViewBlock, requests: number, missUsd: number, referenceShare: number): number {
    const features = this.features(block, requests)
    if (features === undefined) return 0
    const anchor = logistic(weighted(features, ANCHOR_WEIGHTS))
    const reference = logistic(weighted(features, REFERENCE_WEIGHTS))
    return missUsd * (anchor + referenceShare * reference)
  }

  /** Counts one more use of a file, in a request. `isEdit`: the use changed it. */
  #touch(path: string, request: number, isEdit: boolean): void {
    const known = this.#files.get(path)
    this.#files.set(path, {
      at: request,
      edited: isEdit ? request : (known?.edited ?? -1),
      count: (known?.count ?? 0) + 1,
    })
  }

  /**
   * Makes a block's facts from its lines, and changes those of the older blocks that hold one of them. Nothing for a
   * block without lines long enough.
   */
  #read(block: ViewBlock): void {
    const lines = this.#lines
    const own = new Set<number>()
    for (const line of linesIn(lookedUpText(block))) if (line.length >= SHORTEST_LINE) own.add(lines.id(line))
    if (own.size === 0) return
    this.#takeOver(own, block)
    const operation = block.operations[0]
    this.#facts.set(block, {
      fresh: own.size,
      lines: own.size,
      hits: 0,
      isRepeated: false,
      isRange: operation?.part !== undefined,
      path: operation?.path,
    })
  }

  /**
   * Makes a block the owner of lines. Their former owners have a fresh line less; where a search or command found it,
   * they count as repeated, and a call is one hit more of each.
   */
  #takeOver(own: ReadonlySet<number>, block: ViewBlock): void {
    const owners = this.#owners
    const facts = this.#facts
    const isFound = block.kind === 'search' || block.kind === 'command'
    const isCall = block.kind === 'call'
    const hit = new Set<Facts>()
    for (const line of own) {
      const owner = owners[line]
      const former = owner === undefined ? undefined : facts.get(owner)
      if (former !== undefined) {
        former.fresh -= 1
        if (isFound) former.isRepeated = true
        if (isCall) hit.add(former)
      }
      owners[line] = block
    }
    for (const former of hit) former.hits += 1
  }
}

/** The sum of each feature times its weight. */
const weighted = (features: readonly number[], weights: readonly number[]): number => {
  let sum = 0
  for (let index = 0; index < features.length; index++) sum += (features[index] ?? 0) * (weights[index] ?? 0)
  return sum
}

const logistic = (value: number): number => 1 / (1 + Math.exp(-value))

const flag = (is: boolean): number => (is ? 1 : 0)

/** What stands behind the last slash or backslash. */
const lastPart = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

/**
 * The command line of a call; '' if it has none. An input that is a text counts as the command; otherwise `command`,
 * then `cmd`.
 */
const commandOf = ({ source: { original } }: ViewBlock): string => {
  if (original.type !== 'tool_call') return ''
  if (typeof original.input === 'string') return original.input
  const given = objectOf(original.input)
  return stringOf(given.command) ?? stringOf(given.cmd) ?? ''
}

/** What of a block could be looked for again: a result's text, a call's arguments. '' for any other block. */
const lookedUpText = ({ source: { original } }: ViewBlock): string => {
  if (original.type === 'tool_result')
    return original.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  return original.type === 'tool_call' ? textOfJson(original.input) : ''
}
