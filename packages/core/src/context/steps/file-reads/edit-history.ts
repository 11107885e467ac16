/**
 * Which blocks were edited in the model's view, and when: message → block → dated updates, each
 * with a kind and metadata. Also the file format of Cline's `context_history.json`. Nothing here is changed
 * in place, and no two histories share metadata, so that a rollback can't reach into what it came from.
 */
import { CairnError } from '../../../errors.ts'
import { isNestedDeeper, type JsonValue } from '../../../json.ts'
import { blocksOf, withBlocks, withText, type LooseMessage, type BlockPosition } from '../../messages/loose.ts'
import type { DuplicateRead, DuplicateReads } from './deduplicate.ts'

/** What an edited message is, by Cline's numbers. */
export const EDIT_KINDS = { undefined: 0, noFileRead: 1, readFileTool: 2, alterFileTool: 3, fileMention: 4 } as const

/**
 * Time in ms, `"text"`, the replacement as its first string, and what the editor noted: for mentions
 * `[[paths replaced], [all paths]]`.
 */
export type EditUpdate = readonly [at: number, type: string, content: readonly string[], metadata: JsonValue]

/** By message and block, in Cline's shape: the message's kind of edit, then its blocks' updates by time. */
export type EditHistory = ReadonlyMap<
  number,
  readonly [kind: number, blocks: ReadonlyMap<number, readonly EditUpdate[]>]
>

/** The history as nested arrays: the content of `context_history.json`. */
export type SerializedEdits = readonly (readonly [
  message: number,
  edit: readonly [kind: number, blocks: readonly (readonly [block: number, updates: readonly EditUpdate[]])[]],
])[]

export interface EditRecord extends BlockPosition {
  readonly kind: number
  /** ms. */
  readonly at: number
  readonly text: string
  readonly metadata?: JsonValue
}

export interface RestoredEdits {
  readonly edits: EditHistory
  /** What could not be read: where it stands, and why. */
  readonly skipped: readonly { readonly where: string; readonly reason: string }[]
}

/**
 * The history with further edits; the cost is that of the messages they touch, and of one flat copy. A block's former
 * edits stay before its new ones; a message's kind becomes that of its last record. The history given is not changed.
 */
export const recordEdits = (edits: EditHistory, records: readonly EditRecord[]): EditHistory => {
  const next = new Map(edits)
  const own = new Map<number, Map<number, readonly EditUpdate[]>>()
  for (const { message, block, kind, at, text, metadata = [] } of records) {
    const blocks = own.get(message) ?? new Map(next.get(message)?.[1])
    own.set(message, blocks)
    blocks.set(block, [...(blocks.get(block) ?? []), [at, 'text', [text], copied(metadata)]])
    next.set(message, [kind, blocks])
  }
  return next
}

/**
 * The edits that put the notices of duplicate reads into the messages, stamped with `at` (ms). In the order of the
 * replacements; nothing is applied.
 */
export const editsOfDuplicates = ({ duplicates, replacements }: DuplicateReads, at: number): EditRecord[] => {
  const byBlock = Map.groupBy(duplicates, ({ message, block }) => `${message}:${block}`)
  return replacements.map(({ message, block, text }) => {
    const own = byBlock.get(`${message}:${block}`) ?? []
    const paths = own.map(({ path }) => path)
    return { message, block, kind: kindOf(own[0]?.kind), at, text, metadata: [paths, paths] }
  })
}

/**
 * Cline's number for the kind of edit that replaces such a read; that of `undefined` for a kind it does not know, or
 * none.
 */
const kindOf = (kind: DuplicateRead['kind'] | undefined): number => {
  switch (kind) {
    case 'tool-result':
    case 'text-result':
      return EDIT_KINDS.readFileTool
    case 'final-content':
      return EDIT_KINDS.alterFileTool
    case 'mention':
    case 'attachment':
      return EDIT_KINDS.fileMention
    default:
      return EDIT_KINDS.undefined
  }
}

/**
 * The history in the form of Cline's file, by message and block in ascending order; {@link restoreEdits} reads it.
 */
export const serializeEdits = (edits: EditHistory): SerializedEdits =>
  sorted(edits).map(([message, [kind, blocks]]) => [
    message,
    [kind, sorted(blocks).map(([block, updates]) => [block, updates.map(copiedUpdate)])],
  ])

/**
 * Reads the content of Cline's `context_history.json`, as text or parsed. What is damaged is left out and named;
 * never throws.
 */
export const restoreEdits = (value: unknown): RestoredEdits => {
  const skipped: { where: string; reason: string }[] = []
  const skip = (where: string, reason: string): void => void skipped.push({ where, reason })
  const edits = new Map<number, readonly [number, Map<number, readonly EditUpdate[]>]>()
  const items = itemsOf(parsed(value))
  if (items === undefined) skip('', 'the edit history is no array')

  for (const [index, item] of (items ?? []).entries()) {
    const [message, edit] = itemsOf(item) ?? []
    const [kind, blockList] = itemsOf(edit) ?? []
    const blocks = itemsOf(blockList)
    if (!isPosition(message) || typeof kind !== 'number' || blocks === undefined) {
      skip(`[${index}]`, 'no message number with its kind of edit and its blocks')
      continue
    }
    const known = edits.get(message)?.[1] ?? new Map<number, readonly EditUpdate[]>()
    for (const [position, entry] of blocks.entries()) {
      const read = restoreBlock(entry, `[${index}][${position}]`, skip)
      if (read !== undefined) known.set(read.block, [...(known.get(read.block) ?? []), ...read.updates])
    }
    if (known.size > 0) edits.set(message, [kind, known])
  }
  return { edits, skipped }
}

/**
 * A block's number with its updates; undefined when none can be read. What is damaged is skipped by where it stands. A
 * block is also skipped when it has no number.
 */
const restoreBlock = (
  entry: unknown,
  where: string,
  skip: (where: string, reason: string) => void,
): { readonly block: number; readonly updates: readonly EditUpdate[] } | undefined => {
  const [block, updateList] = itemsOf(entry) ?? []
  const given = itemsOf(updateList)
  if (!isPosition(block) || given === undefined) {
    skip(where, 'no block number with its updates')
    return undefined
  }
  const updates = given.flatMap((update, number) => {
    const whole = updateOf(update)
    if (whole === undefined) skip(`${where}[${number}]`, 'no update with a time, a type and texts')
    return whole === undefined ? [] : [whole]
  })
  return updates.length === 0 ? undefined : { block, updates }
}

/**
 * The messages with each block's latest update. Costs one flat copy and what is edited; a position that the messages do
 * not have, and an update of an unknown type, changes nothing. The messages given are not changed.
 * @throws CairnError `invalid-input` for stored edits with a damaged part
 */
export const applyEdits = <M extends LooseMessage>(
  messages: readonly M[],
  edits: EditHistory | SerializedEdits,
): readonly M[] => {
  const result = [...messages]
  for (const [index, [, blocks]] of historyOf(edits)) {
    const message = result[index]
    if (message === undefined) continue
    const content = [...blocksOf(message)]
    let isChanged = false
    for (const [block, updates] of blocks) {
      const text = latestText(updates)
      if (text === undefined || block >= content.length) continue
      content[block] = withText(content[block], text)
      isChanged = true
    }
    if (isChanged) result[index] = withBlocks(message, content)
  }
  return result
}

/**
 * The text of the update with the latest time; of those of one time, the later recorded one. Undefined if none is of a
 * text.
 */
const latestText = (updates: readonly EditUpdate[]): string | undefined => {
  let latest: EditUpdate | undefined
  for (const update of updates)
    if (update[1] === 'text' && (latest === undefined || update[0] >= latest[0])) latest = update
  return latest?.[2][0]
}

/**
 * The history as it was at a time: updates stamped at or before `time` (ms) stay, blocks and messages
 * without any go. Takes and gives either form.
 *
 * @throws CairnError `invalid-input` for what is neither form, and for a time that is no number.
 */
export function rollbackTo(edits: EditHistory, time: number): EditHistory
export function rollbackTo(edits: SerializedEdits, time: number): SerializedEdits
/**
 * The edits made up to a time (ms, included), in the form given, as a copy. @throws CairnError `invalid-input` if
 * `time` is no number, and for stored edits with a damaged part
 */
export function rollbackTo(edits: EditHistory | SerializedEdits, time: number): EditHistory | SerializedEdits {
  if (typeof time !== 'number' || Number.isNaN(time))
    throw new CairnError('invalid-input', 'rollbackTo needs a time in milliseconds.')
  const kept = new Map<number, readonly [number, ReadonlyMap<number, readonly EditUpdate[]>]>()
  for (const [message, [kind, blocks]] of historyOf(edits)) {
    const left = new Map<number, readonly EditUpdate[]>()
    for (const [block, updates] of blocks) {
      const before = updates.filter(([at]) => at <= time).map(copiedUpdate)
      if (before.length > 0) left.set(block, before)
    }
    if (left.size > 0) kept.set(message, [kind, left])
  }
  return edits instanceof Map ? kept : [...kept].map(([message, [kind, blocks]]) => [message, [kind, [...blocks]]])
}

/**
 * Either form as a history; the arrays' order is kept.
 * @throws CairnError `invalid-input` for stored edits with a damaged part
 */
const historyOf = (edits: EditHistory | SerializedEdits): EditHistory => {
  if (edits instanceof Map) return edits as EditHistory
  const { edits: restored, skipped } = restoreEdits(edits)
  const [first] = skipped
  if (first !== undefined)
    throw new CairnError(
      'invalid-input',
      `The edit history can't be used: ${first.reason}${first.where === '' ? '' : ` at ${first.where}`}.`,
    )
  return restored
}

const sorted = <T>(map: ReadonlyMap<number, T>): [number, T][] => [...map].sort(([left], [right]) => left - right)

/** A text as JSON, undefined if it is none; any other value as it is. */
const parsed = (value: unknown): unknown => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return undefined
  }
}

/** An array's items, or a Map's, as an inner level may still be one; undefined for anything else. */
const itemsOf = (value: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value as readonly unknown[]
  return value instanceof Map ? [...(value as ReadonlyMap<unknown, unknown>)] : undefined
}

const isPosition = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0

/** An update read from stored data; undefined if it is not one or nested too deep. */
const updateOf = (value: unknown): EditUpdate | undefined => {
  const [at, type, content, metadata] = itemsOf(value) ?? []
  const texts = itemsOf(content)
  if (typeof at !== 'number' || !Number.isFinite(at) || typeof type !== 'string' || texts === undefined)
    return undefined
  if (!texts.every((text) => typeof text === 'string') || isNestedDeeper(metadata)) return undefined
  return [at, type, [...texts], copied(metadata)]
}

/** A deep copy of an update. */
const copiedUpdate = ([at, type, content, metadata]: EditUpdate): EditUpdate => [
  at,
  type,
  [...content],
  copied(metadata),
]

/** A JSON value of its own; what JSON does not have becomes null. */
const copied = (value: unknown): JsonValue => {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return (value as readonly unknown[]).map(copied)
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(Object.entries(value).map(([key, field]: [string, unknown]) => [key, copied(field)]))
}
