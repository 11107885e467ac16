/** What is known about a memory entry, current or not: the files that it cites, where it was learnt, what stands in its place. */
import type { MemoryEntry } from '../ports/memory-storage.ts'
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
 * Links a memory entry to its session, the files it cites and its other versions. Undefined when no entry has this
 * id; rejects with `ambiguous` for several.
 */
export const aboutEntry = async (text: string, question: Question): Promise<GraphNode | undefined> => {
  const { memory, links } = question
  const found = text === '' ? [] : await memory.resolve(text, GRAPH_LIMITS.named + 1)
  const only = found.find(({ id }) => id === text) ?? found[0]
  if (only === undefined) return undefined
  if (found.length > 1 && only.id !== text)
    throw ambiguousError(
      text,
      'memory entries',
      found.map(({ id }) => id),
    )
  const versions = await memory.history(only.id)
  const last = versions.at(-1)
  if (last === undefined) return undefined
  const { entry } = last
  const at = entry.lastConfirmedAt
  for (const example of entry.examples) {
    const path = citedPath(example)
    if (path !== undefined) links.add('cites', fileNode(path, at), at)
  }
  for (const symbol of symbolsIn(entry.text)) links.add('names', symbolNode(symbol, at), at)
  if (entry.sessionId !== null) links.add('learnt-in', sessionNodeById(entry.sessionId, at), entry.firstSeenAt)
  if (entry.commit !== null)
    links.add(
      'learnt-in',
      commitNode({ hash: entry.commit.toLowerCase().slice(0, 12), subject: '', at }),
      entry.firstSeenAt,
    )
  await addMessage(entry, question)
  for (const { replacedBy, validTo } of versions) {
    const next = replacedBy === null ? undefined : await memory.get(replacedBy)
    if (replacedBy !== null)
      links.add(
        'superseded-by',
        next === undefined ? { kind: 'entry', id: replacedBy, label: replacedBy, at: validTo } : entryNode(next),
        validTo,
      )
  }
  const node = entryNode(entry)
  return last.validTo === null ? node : { ...node, label: `${node.label} (${last.ended ?? 'ended'})` }
}

/** The log knows its messages by their places, so that it is read to find one by its id. */
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
