/**
 * Where a Codex rollout comes from. A fork's file begins with its own `session_meta` line, then those of its ancestors,
 * then a copy of their history with token counts, usually stamped with the fork's time. A copied request must get the
 * key that it has in the ancestor's file, and one of the fork's own must not collide with a sibling's.
 *
 * The key is made of the usage counters and of the session that the request belongs to. Turn and session ids are
 * UUIDv7, which hold the time of their creation: a turn created before the fork is an ancestor's.
 */
import { arrayOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import { parseTime } from './line-values.ts'

/** A session of the chain; `bornAt` (ms) where its id or its meta line has the time. */
interface Ancestor {
  readonly id: string
  readonly bornAt: number | null
}

/** The session of a file and those that it comes from; plain JSON, kept in the parser's state. */
export interface Lineage {
  /** The file's own session first, the oldest ancestor known last. */
  readonly chain: readonly Ancestor[]
  /** Of a subagent: the session at the root of the tree where the file names it, else the parent. */
  readonly parentThread?: string
  readonly forkedFrom?: string
  /** Time of the file's first line, ms. */
  readonly openedAt: number | null
}

/** Copied history is written at once: lines later than this after the file's first, in ms, are the session's own. */
const COPY_TIME = 2000

/** The time in a UUIDv7, ms; null for other ids. */
export const uuidTime = (id: string | undefined): number | null =>
  id !== undefined && /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(id)
    ? parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
    : null

/**
 * The lineage with a `session_meta` line added: the first is the file's own session, later ones are its ancestors. The
 * same object for a line without an id, or one that names the file's own session again.
 */
export const extendLineage = (lineage: Lineage, payload: JsonObject, lineAt: number | null): Lineage => {
  const id = stringOf(payload.id) ?? stringOf(payload.session_id)
  if (id === undefined) return lineage
  const session: Ancestor = { id, bornAt: uuidTime(id) ?? parseTime(payload.timestamp) ?? lineAt }
  const forkedFrom = stringOf(payload.forked_from_id)
  if (lineage.chain.length === 0) return newLineage(session, payload, forkedFrom, lineAt)
  return lineage.chain[0]?.id === id ? lineage : withAncestor(lineage, session, forkedFrom)
}

/**
 * The lineage that a file's first line tells: the session itself, then the one that it was forked from or spawned by,
 * if any. A subagent's `parentThread` is the session that it counts to. `openedAt` is the line's time, ms.
 */
const newLineage = (
  session: Ancestor,
  payload: JsonObject,
  forkedFrom: string | undefined,
  openedAt: number | null,
): Lineage => {
  const spawner = spawnerOf(payload)
  const tree = stringOf(payload.session_id)
  const parentThread = spawner !== undefined && tree !== undefined && tree !== session.id ? tree : spawner
  const parent = forkedFrom ?? spawner
  return {
    chain: [session, ...(parent === undefined ? [] : [{ id: parent, bornAt: uuidTime(parent) }])],
    openedAt,
    ...(parentThread === undefined ? {} : { parentThread }),
    ...(forkedFrom === undefined ? {} : { forkedFrom }),
  }
}

/** The id of the session that started this one as a subagent; undefined if it is none. */
const spawnerOf = (payload: JsonObject): string | undefined => {
  const source = objectOf(payload.source)
  const spawn = objectOf(objectOf(source.subagent).thread_spawn)
  const isSubagent = 'subagent' in source || payload.thread_source === 'subagent'
  return stringOf(spawn.parent_thread_id) ?? (isSubagent ? stringOf(payload.parent_thread_id) : undefined)
}

/**
 * The lineage with an ancestor, in its old position where the chain has it already, and with the session that this was
 * forked from, if that is new. The given lineage is not changed.
 */
const withAncestor = (lineage: Lineage, ancestor: Ancestor, forkedFrom: string | undefined): Lineage => {
  const { chain } = lineage
  const isNewOrigin = forkedFrom !== undefined && !chain.some(({ id }) => id !== ancestor.id && id === forkedFrom)
  const origin = isNewOrigin ? [{ id: forkedFrom, bornAt: uuidTime(forkedFrom) }] : []
  const position = chain.findIndex(({ id }) => id === ancestor.id)
  const known = position < 0 ? [...chain, ancestor] : chain.with(position, ancestor)
  return { ...lineage, chain: [...known, ...origin] }
}

/**
 * Whether a line was copied from an ancestor: its turn (by the time in the id), else the line, is older than the file's
 * own session. False where that can't be told, and without ancestors.
 */
export const isInherited = (lineage: Lineage, turn: string | undefined, lineAt: number | null): boolean => {
  const own = lineage.chain[0]
  if (own === undefined || lineage.chain.length < 2) return false
  const turnAt = uuidTime(turn)
  if (turnAt !== null && own.bornAt !== null) return turnAt < own.bornAt
  if (lineAt === null || lineage.openedAt === null) return false
  // A subagent that was given no history starts at once; only lines that keep older times are copies.
  const copied = lineage.forkedFrom === undefined && lineage.chain.length === 2 ? 0 : COPY_TIME
  return lineAt < lineage.openedAt + copied
}

/**
 * The session of the chain that a request is counted under, followed by the turn where siblings could be confused. ''
 * where nothing is known.
 */
export const requestOwner = (lineage: Lineage, turn: string | undefined, inherited: boolean): string => {
  const root = lineage.chain.at(-1)?.id ?? ''
  const turnAt = uuidTime(turn)
  if (turnAt === null) {
    // Without the turn's time only the file's session tells a subagent's own requests from its siblings'.
    return lineage.parentThread !== undefined && !inherited ? (lineage.chain[0]?.id ?? root) : root
  }
  const owner = lineage.chain.find((ancestor) => ancestor.bornAt !== null && ancestor.bornAt <= turnAt)
  return owner === undefined || owner.id === root ? root : `${owner.id} ${turn}`
}

/** Reads a lineage back from a parser's state. Never throws: what is missing or of another form is left out. */
export const parseLineage = (value: JsonValue | undefined): Lineage => {
  const object = objectOf(value)
  const chain = arrayOf(object.chain).flatMap((entry) => {
    const id = isJsonObject(entry) ? stringOf(entry.id) : undefined
    return id === undefined || !isJsonObject(entry)
      ? []
      : [{ id, bornAt: typeof entry.bornAt === 'number' ? entry.bornAt : null }]
  })
  const parentThread = stringOf(object.parentThread)
  const forkedFrom = stringOf(object.forkedFrom)
  return {
    chain,
    openedAt: typeof object.openedAt === 'number' ? object.openedAt : null,
    ...(parentThread === undefined ? {} : { parentThread }),
    ...(forkedFrom === undefined ? {} : { forkedFrom }),
  }
}

/** The lineage as plain JSON, for the parser's state; a copy of the chain. */
export const lineageState = (lineage: Lineage): JsonValue => ({
  chain: lineage.chain.map(({ id, bornAt }) => ({ id, bornAt })),
  openedAt: lineage.openedAt,
  parentThread: lineage.parentThread,
  forkedFrom: lineage.forkedFrom,
})
