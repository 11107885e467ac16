/**
 * How likely a block is needed again within some sixty requests: word for word, as an edit's anchor, or for
 * a name that stands nowhere newer. Two logistic models over what is known at the time. Kinds and ages carry
 * most of it, so that they also serve agents and tools that they were not fitted on (docs/decisions/011).
 */
import { objectOf, stringOf } from '../../../json.ts'
import { textOfJson } from '../../../messages.ts'
import type { ViewBlock } from '../../view-block.ts'
import { createInterner, linesIn } from '../../names.ts'
import { AGE, ANCHOR_WEIGHTS, REFERENCE_WEIGHTS } from './weights.ts'

export interface BlockValue {
  /** Takes the conversation's next block. */
  add(block: ViewBlock): void
  /**
   * Makes the facts of all blocks from this entry on; those before are not asked for again. What is new is
   * put off until here, as nothing older than the oldest block in question can change its facts.
   */
  ready(fromSeq: number): void
  /** Forgets everything: the conversation is given anew. */
  reset(): void
  /** What the models look at; undefined for blocks that nobody looks anything up in. */
  features(block: ViewBlock, requests: number): readonly number[] | undefined
  /** The block's value, USD: the chance of each need times what its absence costs. */
  value(block: ViewBlock, requests: number, missUsd: number, referenceShare: number): number
  /**
   * For how many requests the block's value has been below `threshold`; undefined while it is above. Computed from
   * its features alone, so that a log read at once gives the same as one followed live.
   */
  evictableFor(
    block: ViewBlock,
    requests: number,
    missUsd: number,
    referenceShare: number,
    threshold: number,
  ): number | undefined
}

interface Facts {
  /** Lines that nothing newer repeats, and all. */
  fresh: number
  readonly lines: number
  /** Times that an edit looked for its lines. */
  hits: number
  /** A later search or command brought one of its lines. */
  isRepeated: boolean
  readonly isRange: boolean
  readonly path: string | undefined
  /** Requests made when one of the above changed last. */
  changed: number
}

/** Shorter lines (brackets, `else {`) say nothing of where they stand, characters. */
const SHORTEST_LINE = 6
const COMMIT = /\bgit\s+(?:-\S+\s+)*commit\b/

/** An empty record. Feed it the conversation's blocks in order. */
export const createBlockValue = (): BlockValue => {
  let lines = createInterner()
  let owners: ViewBlock[] = []
  let facts = new Map<ViewBlock, Facts>()
  let touched = new Map<string, { at: number; count: number; edited: number }>()
  let lastUser = 0
  let lastCommit = -1
  let pending: ViewBlock[] = []

  const touch = (path: string, request: number, isEdit: boolean): void => {
    const known = touched.get(path) ?? { at: -1, count: 0, edited: -1 }
    touched.set(path, { at: request, count: known.count + 1, edited: isEdit ? request : known.edited })
  }

  const add = (block: ViewBlock): void => {
    if (block.kind === 'user') lastUser = block.request
    if (block.kind === 'call') {
      for (const { path, operation } of block.operations) touch(path, block.request, operation === 'edit')
      if (COMMIT.test(commandOf(block))) lastCommit = block.request
    }
    if (block.source.original.type === 'tool_result' || block.kind === 'call') pending.push(block)
  }

  const read = (block: ViewBlock): void => {
    const own = new Set<number>()
    for (const line of linesIn(lookedUpText(block))) if (line.length >= SHORTEST_LINE) own.add(lines.id(line))
    if (own.size === 0) return
    const hit = new Set<Facts>()
    for (const line of own) {
      const owner = owners[line]
      const former = owner === undefined ? undefined : facts.get(owner)
      if (former !== undefined) {
        former.fresh -= 1
        former.changed = block.request
        if (block.kind === 'search' || block.kind === 'command') former.isRepeated = true
        if (block.kind === 'call') hit.add(former)
      }
      owners[line] = block
    }
    for (const former of hit) former.hits += 1
    const operation = block.operations[0]
    facts.set(block, {
      fresh: own.size,
      lines: own.size,
      hits: 0,
      isRepeated: false,
      isRange: operation?.part !== undefined,
      path: operation?.path,
      changed: block.request,
    })
  }

  const features = (block: ViewBlock, requests: number): readonly number[] | undefined => {
    const known = facts.get(block)
    if (known === undefined) return undefined
    const share = known.fresh / known.lines
    const path = known.path === undefined ? undefined : touched.get(known.path)
    const since = path !== undefined && path.at > block.request ? requests - path.at : -1
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
      flag(known.fresh === 0),
      flag(share < 0.1),
      Math.log(Math.max(1, requests - block.request)),
      Math.log(1 + known.hits),
      flag(known.isRepeated),
      flag(known.isRange),
      Math.log(Math.max(1, block.characters)),
      flag(since >= 0 && since <= 2),
      flag(since > 2 && since <= 40),
      flag(path !== undefined && path.edited > block.request),
      flag(lastUser > block.request),
      flag(lastCommit > block.request),
      path === undefined ? 0 : Math.log(1 + path.count),
    ]
  }

  return {
    add,
    ready: (fromSeq) => {
      for (const block of pending) if (block.source.seq >= fromSeq) read(block)
      pending = []
    },
    reset: () => {
      lines = createInterner()
      owners = []
      facts = new Map()
      touched = new Map()
      lastUser = 0
      lastCommit = -1
      pending = []
    },
    features,
    value: (block, requests, missUsd, referenceShare) => {
      const given = features(block, requests)
      return given === undefined ? 0 : valueAt(given, given[AGE] ?? 0, missUsd, referenceShare)
    },
    evictableFor: (block, requests, missUsd, referenceShare, threshold) => {
      const given = features(block, requests)
      if (given === undefined) return requests - block.request
      if (valueAt(given, given[AGE] ?? 0, missUsd, referenceShare) >= threshold) return undefined
      // The features but the age have been as they are since their last change; the age at which its value crossed the threshold is searched for.
      const known = facts.get(block)
      const touchedAt = known?.path === undefined ? -1 : (touched.get(known.path)?.at ?? -1)
      const since = Math.max(
        block.request,
        known?.changed ?? 0,
        touchedAt,
        lastUser > block.request ? lastUser : 0,
        lastCommit,
      )
      let youngest = Math.max(1, since - block.request)
      let oldest = Math.max(youngest, requests - block.request)
      while (youngest < oldest) {
        const middle = (youngest + oldest) >> 1
        if (valueAt(given, Math.log(middle), missUsd, referenceShare) < threshold) oldest = middle
        else youngest = middle + 1
      }
      return requests - block.request - oldest
    },
  }
}

/** The value, USD, that a block with these features would have at another age (log of requests). */
const valueAt = (features: readonly number[], logAge: number, missUsd: number, referenceShare: number): number => {
  const older = logAge - (features[AGE] ?? 0)
  const anchor = weighted(features, ANCHOR_WEIGHTS) + older * (ANCHOR_WEIGHTS[AGE] ?? 0)
  const reference = weighted(features, REFERENCE_WEIGHTS) + older * (REFERENCE_WEIGHTS[AGE] ?? 0)
  return missUsd * (logistic(anchor) + referenceShare * logistic(reference))
}

const weighted = (features: readonly number[], weights: readonly number[]): number => {
  let sum = 0
  for (let index = 0; index < features.length; index++) sum += (features[index] ?? 0) * (weights[index] ?? 0)
  return sum
}

const logistic = (value: number): number => 1 / (1 + Math.exp(-value))

const flag = (is: boolean): number => (is ? 1 : 0)

const commandOf = ({ source: { original } }: ViewBlock): string => {
  if (original.type !== 'tool_call') return ''
  if (typeof original.input === 'string') return original.input
  const given = objectOf(original.input)
  return stringOf(given.command) ?? stringOf(given.cmd) ?? ''
}

/** What of a block could be looked for again: a result's text, a call's arguments. */
const lookedUpText = ({ source: { original } }: ViewBlock): string => {
  if (original.type === 'tool_result')
    return original.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  return original.type === 'tool_call' ? textOfJson(original.input) : ''
}
