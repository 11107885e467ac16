/**
 * What a policy decided about a conversation, as it is kept in the session's log: an entry of the kind `rewrite`, with all
 * that is needed to do the same again after a restart.
 */
import { arrayOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../../../json.ts'
import { isThinking } from '../../../context/thinking.ts'
import type { BlockChange, Insertion, LogEntry, NewLogEntry, RewriteEntry } from '../../../session-log.ts'
import { lastingBlocks, type Spoken, type SpokenBySeq } from './conversation-log.ts'
import type { BlockPin } from './user-pins.ts'

/** A decision, and where in a conversation it was made. */
export interface Decision {
  /** Of all that had been said. */
  readonly mark: string
  /** As the policy's own log numbers it; `block` of a message's change is the position among the blocks that last. */
  readonly rewrite: RewriteEntry
  /** Changes of reasoning: its position among the message's reasoning. */
  readonly thinking: readonly BlockChange[]
  /** What the user decided since the request before; then the rewrite is empty, and only its number counts. */
  readonly pins?: readonly BlockPin[]
  /** The entry of the session's log that keeps it. */
  readonly logSeq: number
}

/** The field of a rewrite's metadata that decisions of the gateway stand in. */
const FIELD = 'gateway'
/** Another one is of a program that cuts conversations in another way: its decisions are not understood. */
const VERSION = 1

/**
 * A rewrite as the policy made it, in the form that is kept: positions of blocks count those of their kind alone,
 * reasoning (then in `thinking`) or all else, as a client may leave the reasoning out later. Changes of entries or
 * blocks that are not in `spoken` stay as they are.
 */
export const lasting = (rewrite: RewriteEntry, spoken: SpokenBySeq): Pick<Decision, 'rewrite' | 'thinking'> => {
  const changes: BlockChange[] = []
  const thinking: BlockChange[] = []
  for (const change of rewrite.changes) {
    const message = spoken.get(change.seq)
    const block = message?.content[change.block]
    if (message === undefined || block === undefined) changes.push(change)
    else if (isThinking(block)) thinking.push({ ...change, block: thinkingBlocks(message).indexOf(change.block) })
    else changes.push({ ...change, block: lastingBlocks(message).indexOf(change.block) })
  }
  return { rewrite: { ...rewrite, changes }, thinking }
}

/**
 * A kept decision as a rewrite of the conversation as the client sends it now: its block numbers, which leave reasoning
 * out, become indexes in the messages, and the changes in `thinking` are added. Changes of blocks that the client has
 * left out since are dropped; those of an entry that is not in `spoken` stay as they are.
 */
export const current = ({ rewrite, thinking }: Decision, spoken: SpokenBySeq): RewriteEntry => {
  /**
   * The changes with their block numbers as indexes in the message, by `of`; without those whose block is not there any
   * more. Those of an entry that is no message of `spoken` stay.
   */
  const atPositions = (
    changes: readonly BlockChange[],
    of: (message: Spoken) => readonly number[],
  ): readonly BlockChange[] =>
    changes.flatMap((change) => {
      const message = spoken.get(change.seq)
      if (message === undefined) return [change]
      const block = of(message)[change.block]
      return block === undefined ? [] : [{ ...change, block }]
    })
  return {
    ...rewrite,
    changes: [...atPositions(rewrite.changes, lastingBlocks), ...atPositions(thinking, thinkingBlocks)],
  }
}

const thinkingBlocks = ({ content }: Spoken): readonly number[] =>
  content.flatMap((block, index) => (isThinking(block) ? [index] : []))

/**
 * The entry that keeps a decision. `shown`: the changes by the session's own messages, for those who read its log; empty
 * where the messages come from an agent's transcript.
 */
export const decisionEntry = (
  { mark, rewrite, thinking, pins }: Omit<Decision, 'logSeq'>,
  shown: Pick<RewriteEntry, 'changes' | 'insertions'>,
): NewLogEntry => {
  const { kind, at, policy, trigger, tokensBefore, tokensAfter, metadata } = rewrite
  return {
    kind,
    at,
    policy,
    trigger,
    changes: shown.changes,
    ...(shown.insertions === undefined ? {} : { insertions: shown.insertions }),
    ...(rewrite.room === undefined ? {} : { room: rewrite.room }),
    ...(tokensBefore === undefined ? {} : { tokensBefore }),
    ...(tokensAfter === undefined ? {} : { tokensAfter }),
    metadata: {
      ...objectOf(metadata),
      [FIELD]: {
        version: VERSION,
        mark,
        seq: rewrite.seq,
        changes: rewrite.changes.map(changeJson),
        thinking: thinking.map(changeJson),
        insertions: (rewrite.insertions ?? []).map((insertion): JsonObject => ({ ...insertion })),
        ...(pins === undefined ? {} : { pins: pins.map((pin): JsonObject => ({ ...pin })) }),
      },
    },
  }
}

const changeJson = (change: BlockChange): JsonObject => ({ ...change })

/** The decision that an entry keeps; undefined for entries of others, of another version, or that are damaged. */
export const decisionIn = (entry: LogEntry): Decision | undefined => {
  if (entry.kind !== 'rewrite') return undefined
  const { [FIELD]: kept, ...metadata } = objectOf(entry.metadata)
  if (!isJsonObject(kept) || kept.version !== VERSION) return undefined
  const mark = stringOf(kept.mark)
  const { seq } = kept
  if (mark === undefined || typeof seq !== 'number') return undefined
  const insertions = arrayOf(kept.insertions).flatMap(insertionOf)
  const { insertions: _shown, metadata: _metadata, ...rest } = entry
  return {
    mark,
    logSeq: entry.seq,
    thinking: arrayOf(kept.thinking).flatMap(changeOf),
    ...(kept.pins === undefined ? {} : { pins: arrayOf(kept.pins).flatMap(pinOf) }),
    rewrite: {
      ...rest,
      seq,
      changes: arrayOf(kept.changes).flatMap(changeOf),
      ...(insertions.length === 0 ? {} : { insertions }),
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    },
  }
}

/** A stored change, as a list of one; empty if it is damaged. */
const changeOf = (value: JsonValue): readonly BlockChange[] => {
  const { seq, block, why, text } = objectOf(value)
  if (typeof seq !== 'number' || typeof block !== 'number' || typeof why !== 'string') return []
  return [{ seq, block, why, ...(typeof text === 'string' ? { text } : {}) }]
}

/** A stored pin, as a list of one; empty if it is damaged. */
const pinOf = (value: JsonValue): readonly BlockPin[] => {
  const { seq, block, state } = objectOf(value)
  if (typeof seq !== 'number' || typeof block !== 'number') return []
  return state === 'pinned' || state === 'dropped' || state === 'automatic' ? [{ seq, block, state }] : []
}

/** A stored insertion, as a list of one; empty if it is damaged. */
const insertionOf = (value: JsonValue): readonly Insertion[] => {
  const { before, why, text } = objectOf(value)
  if (typeof why !== 'string' || typeof text !== 'string') return []
  return [{ why, text, ...(typeof before === 'number' ? { before } : {}) }]
}
