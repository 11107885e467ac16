/**
 * What an agent writes to its session's log besides requests: that a call starts, its result, and the program's own
 * questions.
 */
import { CairnError } from '../errors.ts'
import { textOfBlock, type ContentBlock, type ToolResultBlock } from '../messages.ts'
import type { Clock } from '../ports/clock.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import { todoListIn } from '../session/todo-calls.ts'
import type { ToolOutcome } from './agent-tool.ts'
import type { AgentEngine } from './agent-options.ts'
import type { OpenCall } from './open-calls.ts'

/** Writes to one session's log. Every promise resolves once the entry is on disk. */
export interface SessionRecord {
  readonly sessionId: string
  /** Writes that the call is about to be run. */
  started(call: OpenCall): Promise<void>
  /**
   * Writes the result, together with the todo list that the call wrote (none if the call failed). Returns the result as
   * the model is given it.
   */
  finished(call: OpenCall, outcome: ToolOutcome): Promise<ToolResultBlock>
  /** Records that an existing checkpoint has the files before the turn's first change. */
  kept(checkpointId: string): Promise<void>
  /** Writes a message of the user's side that no person wrote. */
  asked(id: string, text: string): Promise<void>
}

/**
 * Opens the record that writes the steps of a turn to the session's log; it and each method reject with `not-found` if
 * the session is gone. `finished` returns the result as the model is given it (with `whole`, the log has that, and an
 * entry that cuts it), and rejects with `sequence-conflict` where another run has answered the call.
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
    /**
     * Appends the result under an id made of the call's place, so that there is one at most; see {@link openRecord}.
     */
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

/** The result as the log has it: with `whole`, if there is one, for its first block, so that recall finds all of it. */
const logged = (result: ToolResultBlock, whole: string | undefined): ToolResultBlock =>
  whole === undefined ? result : { ...result, content: [{ type: 'text', text: whole }, ...result.content.slice(1)] }

/** The entry by which the model is given the text of `result`, which is cut, instead of the whole one in the log. */
const cutEntry = (messageId: string, at: number, result: ToolResultBlock): EntryWrite => ({
  entry: { kind: 'edit', at, messageId, block: 0, reason: 'output-cut', text: textOfBlock(result) },
  externalId: `${messageId}:cut`,
})

const textBlocks = (text: string): readonly ContentBlock[] => [{ type: 'text', text }]

/** Makes (does not throw) the `not-found` error for a session that is not in the store. */
const gone = (sessionId: string): CairnError =>
  new CairnError('not-found', `The session ${sessionId} is not in the store any more; the work on it ended.`)

/**
 * Makes (does not throw) the `sequence-conflict` error for a result whose unique id is taken: another run that
 * continued the session treated the call as interrupted. `cause`: what the store said.
 */
const answeredElsewhere = (sessionId: string, cause: CairnError): CairnError =>
  new CairnError(
    'sequence-conflict',
    `Another run went on with the session ${sessionId} while this one was at work, so this one ends; what it did stays. Let one at a time work on a session.`,
    { cause },
  )
