/** What an agent writes to its session's log beside its requests: that a call begins, what came of it, what is asked by itself. */
import { CairnError } from '../errors.ts'
import { textOfBlock, type ContentBlock, type ToolResultBlock } from '../messages.ts'
import type { Clock } from '../ports/clock.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import { todoListIn } from '../session/todo-calls.ts'
import type { ToolOutcome } from './agent-tool.ts'
import type { AgentEngine } from './agent-options.ts'
import type { OpenCall } from './open-calls.ts'

/** Every promise of it resolves when the entry is on disk. */
export interface SessionRecord {
  readonly sessionId: string
  started(call: OpenCall): Promise<void>
  /** The result, and with it the todo list that the call wrote. */
  finished(call: OpenCall, outcome: ToolOutcome): Promise<ToolResultBlock>
  /** A checkpoint that there was already has the files as they are before the turn's first change. */
  kept(checkpointId: string): Promise<void>
  /** A message of the user's side that no person wrote. */
  asked(id: string, text: string): Promise<void>
}

/**
 * Writes the steps of a turn to the session's log; each method resolves when it is stored. `finished` gives the
 * result as it stands in the log. @throws CairnError `not-found` where the session is gone, as do its methods
 */
export const openRecord = async (
  { store, sessions }: Pick<AgentEngine, 'store' | 'sessions'>,
  sessionId: string,
  clock: Clock,
): Promise<SessionRecord> => {
  const session = await store.sessions.get(sessionId)
  if (session === undefined) throw gone(sessionId)
  const facts: SessionFacts = { id: session.id, agent: session.agent, externalId: session.externalId }
  const append = async (writes: readonly EntryWrite[]): Promise<void> => {
    const appended = await sessions.append(facts, 'end', writes)
    if (!appended.ok) throw gone(sessionId)
  }
  return {
    sessionId,
    started: ({ call }) => append([{ entry: { kind: 'tool-start', at: clock.now(), callId: call.id } }]),
    finished: async (open, { content, isError, whole }) => {
      const result: ToolResultBlock = {
        type: 'tool_result',
        callId: open.call.id,
        content,
        ...(isError === true ? { isError } : {}),
      }
      const at = clock.now()
      const id = `${open.messageId}:${open.block}`
      const items = isError === true ? undefined : todoListIn(open.call)
      const written = append([
        ...(items === undefined
          ? []
          : [
              {
                entry: { kind: 'todo', at, items, toldBy: { messageId: open.messageId, block: open.block } } as const,
              },
            ]),
        // Its own id: a result that was written is not written again.
        { entry: { kind: 'message', id, at, role: 'tool', content: [logged(result, whole)] }, externalId: id },
        ...(whole === undefined ? [] : [cutEntry(id, at, result)]),
      ])
      await written.catch((error: unknown) => {
        throw CairnError.is(error) && error.code === 'invalid-input' ? answeredElsewhere(sessionId, error) : error
      })
      return result
    },
    kept: (checkpointId) => append([{ entry: { kind: 'checkpoint', at: clock.now(), checkpointId } }]),
    asked: (id, text) =>
      append([
        { entry: { kind: 'message', id, at: clock.now(), role: 'user', origin: 'meta', content: textBlocks(text) } },
      ]),
  }
}

/** The log has all that the tool kept, and recall finds it. */
const logged = (result: ToolResultBlock, whole: string | undefined): ToolResultBlock =>
  whole === undefined ? result : { ...result, content: [{ type: 'text', text: whole }, ...result.content.slice(1)] }

/** What the model is given of it. */
const cutEntry = (messageId: string, at: number, result: ToolResultBlock): EntryWrite => ({
  entry: { kind: 'edit', at, messageId, block: 0, reason: 'output-cut', text: textOfBlock(result) },
  externalId: `${messageId}:cut`,
})

const textBlocks = (text: string): readonly ContentBlock[] => [{ type: 'text', text }]

const gone = (sessionId: string): CairnError =>
  new CairnError('not-found', `The session ${sessionId} is not in the store any more; the work on it ended.`)

/** The one id that a result has is taken: whoever went on with the session took the call for interrupted. */
const answeredElsewhere = (sessionId: string, cause: CairnError): CairnError =>
  new CairnError(
    'sequence-conflict',
    `Another run went on with the session ${sessionId} while this one was at work, so this one ends; what it did stays. Let one at a time work on a session.`,
    { cause },
  )
