/** What is known about a memory entry, current or not: the files it cites, its origin, and what superseded it. */
import type { MemoryEntry, MemoryVersion } from '../ports/memory-storage.ts'
import { commitNode } from './commits.ts'
import type { GraphNode } from './graph.ts'
import { GRAPH_LIMITS } from './limits.ts'
import { citedPath } from './paths.ts'
import {
  ambiguousError,
  entryNode,
  fileNode,
  messageNode,
  sessionNodeById,
  symbolNode,
  messageText,
  type Question,
} from './question.ts'
import { symbolsIn } from './symbols.ts'

/**
 * The node of a memory entry. Adds to the question's links its session, message and commit, the files and symbols that
 * it names, and what superseded it. Undefined if no entry's id is, begins or ends with the text; rejects with
 * `ambiguous` for several. An entry that has ended says so in its label.
 */
export const aboutEntry = async (text: string, question: Question): Promise<GraphNode | undefined> => {
  const id = await findEntryId(text, question)
  const versions = id === undefined ? [] : await question.memory.history(id)
  const last = versions.at(-1)
  if (last === undefined) return undefined
  addCitations(last.entry, question)
  addOrigin(last.entry, question)
  await addMessage(last.entry, question)
  await addReplacements(versions, question)
  const node = entryNode(last.entry)
  return last.validTo === null ? node : { ...node, label: `${node.label} (${last.ended ?? 'ended'})` }
}

/**
 * The id of the entry meant: the one that is the text, else the only one that the store resolves it to (by beginning or
 * end). Undefined if there is none, or for an empty text.
 * @throws CairnError `ambiguous` if several begin or end so and none is it
 */
const findEntryId = async (text: string, { memory }: Question): Promise<string | undefined> => {
  const found = text === '' ? [] : await memory.resolve(text, GRAPH_LIMITS.named + 1)
  const only = found.find(({ id }) => id === text) ?? found[0]
  if (only === undefined || found.length === 1 || only.id === text) return only?.id
  throw ambiguousError(
    text,
    'memory entries',
    found.map(({ id }) => id),
  )
}

/** Links the files that an entry's examples cite, and the symbols that its text names. */
const addCitations = ({ text, examples, lastConfirmedAt: at }: MemoryEntry, { links }: Question): void => {
  for (const example of examples) {
    const path = citedPath(example)
    if (path !== undefined) links.add('cites', fileNode(path, at), at)
  }
  for (const symbol of symbolsIn(text)) links.add('names', symbolNode(symbol, at), at)
}

/** Links the session and the commit in which the entry was learned. Neither if the entry has none. */
const addOrigin = ({ sessionId, commit, firstSeenAt, lastConfirmedAt: at }: MemoryEntry, { links }: Question): void => {
  if (sessionId !== null) links.add('learnt-in', sessionNodeById(sessionId, at), firstSeenAt)
  if (commit !== null)
    links.add('learnt-in', commitNode({ hash: commit.toLowerCase().slice(0, 12), subject: '', at }), firstSeenAt)
}

/** Links the entries that superseded one of the versions. One that is no longer stored is linked by its id. */
const addReplacements = async (versions: readonly MemoryVersion[], { memory, links }: Question): Promise<void> => {
  for (const { replacedBy, validTo } of versions) {
    if (replacedBy === null) continue
    const next = await memory.get(replacedBy)
    links.add(
      'superseded-by',
      next === undefined ? { kind: 'entry', id: replacedBy, label: replacedBy, at: validTo } : entryNode(next),
      validTo,
    )
  }
}

/**
 * Links the message in which the entry was learned, if messages are asked for and it is still in the log. The log has
 * no index by message id, so all of its messages are read.
 */
const addMessage = async (
  { sessionId, messageId, firstSeenAt }: MemoryEntry,
  { sessions, links }: Question,
): Promise<void> => {
  if (sessionId === null || messageId === null || !links.wants('message')) return
  const message = (await sessions.read(sessionId, { kinds: ['message'] })).find(
    (entry) => entry.kind === 'message' && entry.id === messageId,
  )
  if (message?.kind === 'message')
    links.add(
      'learnt-in',
      messageNode(sessionId, message.seq, messageText(message), message.at),
      message.at ?? firstSeenAt,
    )
}
