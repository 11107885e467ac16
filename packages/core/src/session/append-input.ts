/**
 * Validates entries before they are stored, so that no entry is kept that readers could not show or search. The checks
 * are written by hand rather than as a schema because every entry of a live session passes through them. Values that
 * JSON can't represent are found later, when secrets are redacted, because that serialises each entry anyway.
 */
import { CairnError } from '../errors.ts'
import { isTime, shownValue } from '../input.ts'
import { JSON_LEVELS, isCountOrAbsent, isJsonObject, isNestedDeeper } from '../json.ts'
import type { ContentBlock } from '../messages.ts'
import { HIGHEST_COST, nanoFromUsd } from '../money.ts'
import { TOKEN_CLASSES } from '../ports/price-book.ts'
import type { AppendPosition, EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import type { EntryKind } from '../session-log.ts'
import { assertTodoList } from './todo.ts'

/** A validation error: the path of the wrong value, what it must be, and the value itself. */
interface Fault {
  readonly path: string
  readonly must: string
  readonly value: unknown
}

type Check = (value: unknown) => Fault | undefined
type Fields = readonly (readonly [name: string, check: Check])[]

/** A fault of the value itself, with an empty path. */
const here = (must: string, value: unknown): Fault => ({ path: '', must, value })

const text: Check = (value) => (typeof value === 'string' ? undefined : here('a text', value))
const name: Check = (value) =>
  typeof value === 'string' && value !== '' ? undefined : here('a text that is not empty', value)
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : here('true or false', value))
const number: Check = (value) =>
  typeof value === 'number' && !Number.isNaN(value) ? undefined : here('a number', value)
const naturalNumber: Check = (value) =>
  Number.isInteger(value) && (value as number) >= 0 ? undefined : here('a whole number from 0 up', value)
const naturalNumberOrMinusOne: Check = (value) => (value === -1 ? undefined : naturalNumber(value))
const time: Check = (value) =>
  value === null || isTime(value)
    ? undefined
    : here('whole milliseconds since 1970 of which a date can be made, or null', value)
const count: Check = (value) =>
  value !== undefined && value !== null && isCountOrAbsent(value) ? undefined : here('a whole number of tokens', value)
const MOST_NANO = nanoFromUsd(HIGHEST_COST)
const cost: Check = (value) =>
  value === null || (typeof value === 'bigint' && value >= -MOST_NANO && value <= MOST_NANO)
    ? undefined
    : here(`a bigint of billionths of a USD, at most those of $${HIGHEST_COST.toLocaleString('en-US')}, or null`, value)
const rate: Check = (value) =>
  typeof value === 'bigint' && value >= 0n ? undefined : here('a bigint of femto-USD that is not negative', value)
const json: Check = (value) =>
  value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'
    ? undefined
    : here('a value that JSON can hold', value)

/** Wraps a check so that it accepts undefined. */
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value)

const oneOf =
  (...known: readonly string[]): Check =>
  (value) =>
    known.some((one) => one === value) ? undefined : here(`one of ${known.join(', ')}`, value)

/**
 * Checks every item of a list; the path of the first fault contains the item's index. Undefined if all are right, or
 * there is none.
 */
const listOf =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return here('a list', value)
    for (let index = 0; index < value.length; index += 1) {
      const fault = check(value[index])
      if (fault !== undefined) return { ...fault, path: `[${index}]${fault.path}` }
    }
    return undefined
  }

/** The first fault of the fields, with its path; undefined if they are right. In the order of `fields`. */
const faultIn = (value: Readonly<Record<string, unknown>>, fields: Fields): Fault | undefined => {
  for (const [field, check] of fields) {
    const fault = check(value[field])
    if (fault !== undefined) return { ...fault, path: `.${field}${fault.path}` }
  }
  return undefined
}

const shape =
  (fields: Fields): Check =>
  (value) =>
    isJsonObject(value) ? faultIn(value, fields) : here('an object', value)

/** An object whose fields depend on one of them. Other fields are not looked at. */
const variant =
  (tag: string, shapes: ReadonlyMap<unknown, Fields>): Check =>
  (value) => {
    if (!isJsonObject(value)) return here('an object', value)
    const fields = shapes.get(value[tag])
    return fields === undefined
      ? { path: `.${tag}`, must: `one of ${[...shapes.keys()].join(', ')}`, value: value[tag] }
      : faultIn(value, fields)
  }

const SIMPLE_BLOCKS = {
  text: [['text', text]],
  image: [
    ['mediaType', text],
    ['data', optional(text)],
    ['url', optional(text)],
  ],
  other: [['value', json]],
} satisfies Partial<Record<ContentBlock['type'], Fields>>

const BLOCKS: Readonly<Record<ContentBlock['type'], Fields>> = {
  ...SIMPLE_BLOCKS,
  thinking: [
    ['text', text],
    ['signature', optional(text)],
  ],
  tool_call: [
    ['id', text],
    ['name', text],
    ['input', json],
  ],
  tool_result: [
    ['callId', text],
    ['content', listOf(variant('type', new Map(Object.entries(SIMPLE_BLOCKS))))],
    ['isError', optional(flag)],
  ],
  file: [
    ['path', text],
    ['text', optional(text)],
    ['mediaType', optional(text)],
    ['data', optional(text)],
    ['url', optional(text)],
  ],
}

const block = variant('type', new Map(Object.entries(BLOCKS)))

const ENTRIES: Readonly<Record<EntryKind, Fields>> = {
  message: [
    ['id', name],
    ['role', oneOf('user', 'assistant', 'system', 'tool')],
    ['content', listOf(block)],
    ['author', optional(text)],
    ['subagent', optional(text)],
    ['responseId', optional(text)],
    ['model', optional(text)],
    ['mode', optional(text)],
    ['thinking', optional(text)],
    ['origin', optional(oneOf('summary', 'meta'))],
  ],
  edit: [
    ['messageId', name],
    ['block', naturalNumber],
    ['reason', text],
    ['text', text],
  ],
  pin: [
    ['messageId', name],
    ['block', optional(naturalNumber)],
    ['state', oneOf('pinned', 'dropped', 'automatic')],
  ],
  truncation: [
    ['fromSeq', naturalNumber],
    ['toSeq', naturalNumber],
    ['reason', text],
  ],
  compaction: [
    ['trigger', text],
    ['tokensBefore', optional(number)],
    ['partial', optional(flag)],
    ['tokensCleared', optional(number)],
    ['cleared', optional(listOf(text))],
    ['keptFrom', optional(text)],
    ['kept', optional(listOf(text))],
  ],
  rewrite: [
    ['policy', text],
    ['trigger', text],
    [
      'changes',
      listOf(
        shape([
          ['seq', naturalNumber],
          ['block', naturalNumber],
          ['why', text],
          ['text', optional(text)],
        ]),
      ),
    ],
    [
      'insertions',
      optional(
        listOf(
          shape([
            ['before', optional(naturalNumber)],
            ['why', text],
            ['text', text],
          ]),
        ),
      ),
    ],
    ['room', optional(number)],
    ['tokensBefore', optional(number)],
    ['tokensAfter', optional(number)],
  ],
  file: [
    ['path', name],
    ['operation', oneOf('read', 'edit', 'external-edit', 'mention')],
    ['hash', optional(text)],
    ['by', optional(text)],
  ],
  model: [
    ['model', text],
    ['provider', optional(text)],
    ['mode', optional(text)],
  ],
  checkpoint: [['checkpointId', name]],
  todo: [
    [
      'items',
      listOf(
        shape([
          ['id', optional(text)],
          ['text', text],
          ['status', oneOf('pending', 'in_progress', 'completed')],
          ['dependsOn', optional(listOf(text))],
        ]),
      ),
    ],
    [
      'toldBy',
      optional(
        shape([
          ['messageId', name],
          ['block', naturalNumber],
        ]),
      ),
    ],
    ['isChange', optional(flag)],
  ],
  rewind: [['toSeq', naturalNumberOrMinusOne]],
  title: [['title', text]],
  favourite: [['favourite', flag]],
  notice: [
    ['level', oneOf('info', 'warning', 'error')],
    ['text', text],
  ],
  'tool-start': [['callId', name]],
}

/** Every entry carries its time. */
const entry = variant(
  'kind',
  new Map(Object.entries(ENTRIES).map(([kind, fields]): [string, Fields] => [kind, [['at', time], ...fields]])),
)

const write = shape([
  ['entry', entry],
  ['externalId', optional(name)],
  [
    'request',
    optional(
      shape([
        ['callId', name],
        ['at', time],
        ['model', text],
        ['provider', optional(text)],
        ['mode', optional(text)],
        ['subagent', optional(text)],
        ['workspace', optional(text)],
        ['branch', optional(text)],
        ...TOKEN_CLASSES.map((tokenClass): [string, Check] => [
          tokenClass.field,
          'isOptional' in tokenClass ? optional(count) : count,
        ]),
        ['reasoningTokens', optional(count)],
        ['costNano', cost],
        ['costState', oneOf('recorded', 'computed', 'unpriced')],
        ['outputRate', optional(rate)],
        ['attempt', optional(count)],
        [
          'latency',
          optional(
            shape([
              ['firstTokenMs', count],
              ['totalMs', count],
            ]),
          ),
        ],
      ]),
    ),
  ],
  ['visibleCharacters', optional(naturalNumber)],
  ['redactions', optional(naturalNumber)],
])

const writesOf = listOf(write)
const factsOf = shape([
  ['id', name],
  ['agent', name],
  ['externalId', name],
  ['workspace', optional(text)],
  ['branch', optional(text)],
  ['title', optional(text)],
  ['forkedFrom', optional(text)],
])

/** Throws `invalid-input` for a fault, with its path. Nothing without one. */
const refuse = (what: string, fault: Fault | undefined): void => {
  if (fault !== undefined)
    throw new CairnError(
      'invalid-input',
      `${what}${fault.path} must be ${fault.must}, not ${shownValue(fault.value)}; nothing was written.`,
    )
}

/**
 * Validates what a caller wants to append to a log, before anything is written.
 * @throws CairnError `invalid-input` that names the position (`writes[0].entry.at must be …`); also for a todo list
 * with two items in progress or with dependencies that can't be met.
 */
export const assertAppend = (
  session: SessionFacts,
  expectedSeq: AppendPosition,
  writes: readonly EntryWrite[],
): void => {
  refuse('session', factsOf(session))
  if (expectedSeq !== 'end') refuse('expectedSeq', naturalNumber(expectedSeq))
  refuse('writes', writesOf(writes))
  for (const { entry } of writes) if (entry.kind === 'todo') assertTodoList(entry.items)
}

/**
 * Serialises an entry as JSON. `index` is its position among the writes, for the error message.
 * @throws CairnError `invalid-input` for a value that JSON can't represent: a cycle, a bigint, or one that is nested
 * too deeply
 */
export const entryJson = ({ entry: given }: EntryWrite, index: number): string => {
  /** The error for an entry that can't be kept, with the reason; not thrown here. */
  const refused = (why: string, options?: { readonly cause: unknown }): CairnError =>
    new CairnError(
      'invalid-input',
      `writes[${index}].entry can't be kept as JSON: ${why}; nothing was written.`,
      options,
    )
  if (isNestedDeeper(given)) throw refused(`it refers to itself, or is nested over ${JSON_LEVELS} levels deep`)
  try {
    return JSON.stringify(given)
  } catch (cause) {
    const isBigint =
      typeof cause === 'object' && cause !== null && 'message' in cause && String(cause.message).includes('BigInt')
    throw refused(isBigint ? 'it has a bigint' : 'it refers to itself', { cause })
  }
}
