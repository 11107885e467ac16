/**
 * What is known about one message (`session#seq`): its session, the files, symbols and commits of its calls, and what
 * was learned in it.
 */
import type { SessionSummary } from '../ports/session-storage.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { fileOperationsOf, toolCallIn } from '../file-activity/file-tools.ts'
import { relativePath } from '../file-activity/file-activity.ts'
import { findSession } from './about-session.ts'
import { unifyHashes, commitNode, commitsReported } from './commits.ts'
import type { GraphNode } from './graph.ts'
import { plainPath } from './paths.ts'
import {
  addSymbols,
  editsIn,
  entryNode,
  fileNode,
  messageNode,
  sessionNode,
  messageText,
  type Question,
} from './question.ts'

/** `session#seq`: a session's id and a message's number in its log. */
export const MESSAGE_REFERENCE = /^(.+)#(\d{1,9})$/s
/** Number of entries after a call in which to look for its result. */
const UNTIL_RESULT = 20

/**
 * The node of a message. Adds to the question's links its session, files, symbols, commits and what was learned from
 * it. Undefined if there is no such message. The text is `session#seq`, where the session's id may be shortened
 * (rejects with `ambiguous` for several sessions); other texts name none.
 */
export const aboutMessage = async (text: string, question: Question): Promise<GraphNode | undefined> => {
  const [, id, position] = MESSAGE_REFERENCE.exec(text.trim()) ?? []
  const session = id === undefined ? undefined : await findSession(id, question)
  if (session === undefined) return undefined
  const [entry, ...next] = await question.sessions.read(session.id, { fromSeq: Number(position), limit: UNTIL_RESULT })
  if (entry?.kind !== 'message') return undefined
  const { links } = question
  links.add('part-of', sessionNode(session), entry.at)
  addFiles(entry, session, question)
  addSymbols(question, editsIn(entry))
  addCommits(entry, next, question)
  if (links.wants('entry'))
    for (const learnt of await question.entriesOfAll())
      if (learnt.sessionId === session.id && learnt.messageId === entry.id)
        links.add('learnt-in', entryNode(learnt), learnt.lastConfirmedAt)
  return messageNode(session.id, entry.seq, `${entry.role}: ${messageText(entry)}`, entry.at)
}

/** Links the files that the message mentions, and those that its calls read or edit. */
const addFiles = ({ content, at }: MessageEntry, { workspace }: SessionSummary, { links }: Question): void => {
  const path = (written: string): string => relativePath(plainPath(written), workspace ?? undefined)
  for (const block of content) {
    if (block.type === 'file') links.add('mentions', fileNode(path(block.path), at), at)
    const call = toolCallIn(block)
    if (call === undefined) continue
    for (const file of fileOperationsOf(call))
      links.add(file.operation === 'edit' ? 'edited' : 'read', fileNode(path(file.path), at), at)
  }
}

/**
 * Links the commits in the results of the message's git calls, as committed or only mentioned; hashes in its own text
 * are not linked. `next`: the entries after it, in which the results are looked for. Reports of one commit get one
 * hash.
 */
const addCommits = (entry: MessageEntry, next: readonly LogEntry[], { links }: Question): void => {
  const calls = new Set(entry.content.flatMap((block) => (block.type === 'tool_call' ? [block.id] : [])))
  const answers = next.filter(
    (later) =>
      later.kind === 'message' &&
      later.content.some((block) => block.type === 'tool_result' && calls.has(block.callId)),
  )
  for (const commit of unifyHashes(commitsReported([entry, ...answers])))
    links.add(commit.made ? 'committed' : 'mentions', commitNode(commit), commit.at)
}
