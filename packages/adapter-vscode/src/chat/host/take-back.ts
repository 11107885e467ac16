/**
 * Takes a conversation back to before one of its turns: the files, the conversation, or both. What would be lost is shown
 * and asked about; what leaves is kept, in a checkpoint and in the session's log.
 */
import { planRewind, type CheckpointPreview, type CheckpointRestored, type Engine } from '@cairn/core'
import { changingTurns, type ChangingTurn } from '@cairn/core/agent'
import { textWithoutMentions } from '@cairn/core/sources/mentions'
import { restoreCheckpoint, type RestoreDialogs, type RestoreResult } from '../../checkpoints/restore-flow.ts'
import { counted } from '../../text/format.ts'
import { neutraliseLine, shorten } from '../../text/neutralise.ts'
import { withoutChanges } from '../conversation/log-events.ts'

/** What goes back. */
export type TakenPart = 'files' | 'conversation' | 'both'

/** What the user is asked on the way. */
export interface TakeBackDialogs {
  /** Undefined when the user cancels. */
  choose(): Promise<TakenPart | undefined>
  /** Returns the dialogs of a restore; `title` is its question. */
  restore(title: string): RestoreDialogs
  /** Whether to go on where no file changes; `question` says what is asked, `detail` what is lost. */
  agree(question: string, detail: string): Promise<boolean>
}

/** The turn to undo. */
export interface TakeBackRequest {
  readonly sessionId: string
  /** The folder that the conversation works in, as its checkpoints name it. */
  readonly folder: string
  readonly checkpointId: string
  /** Of the turns with this checkpoint, which one, counted from the end, from 0. */
  readonly fromEnd: number
}

/** How undoing a turn ended. */
export type TakeBackResult =
  /** The user did not want it. */
  | { readonly kind: 'cancelled' }
  /** The session has no such turn any more. */
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'done'
      readonly part: TakenPart
      /** Undefined where no file had to be changed. */
      readonly files: { readonly outcome: CheckpointRestored; readonly preview: CheckpointPreview } | undefined
      /** What the user had said, to be said again. */
      readonly message: string
    }

/** What of the engine is used here. */
type TakeBackEngine = Pick<Engine, 'checkpoints' | 'files' | 'sessions'>

/**
 * Undoes a turn after asking what goes back; the conversation only after the files. Rejects as the engine's checkpoints
 * and sessions do. If the conversation goes back and no file does, its agent is warned of the files edited since then.
 * `fromEnd` counts turns of the same checkpoint from the last one, which is 0. `gone` is a turn that is not in the log
 * any more.
 */
export const takeBackTurn = async (
  engine: TakeBackEngine,
  request: TakeBackRequest,
  dialogs: TakeBackDialogs,
): Promise<TakeBackResult> => {
  const { sessionId, folder, checkpointId, fromEnd } = request
  const log = await engine.sessions.log(sessionId)
  const turn = changingTurns(log, folder)
    .filter((each) => each.checkpointId === checkpointId)
    .at(-1 - fromEnd)
  if (turn === undefined) return { kind: 'gone' }
  const part = await dialogs.choose()
  if (part === undefined) return { kind: 'cancelled' }
  const to = { entry: turn.message.seq - 1 }
  const leaving = messagesIn(planRewind(to, log, 0).left)
  const message = messageOf(turn)
  const question = questionOf(part, shorten(neutraliseLine(message), SHOWN), leaving)
  const restored =
    part === 'conversation' ? undefined : await restoreFiles(engine, request, { turn, part, question }, dialogs)
  if (!(await isAgreed(part, restored, question, dialogs))) return { kind: 'cancelled' }
  const files = restored?.kind === 'restored' ? restored : undefined
  if (part !== 'files') await takeConversation(engine, { sessionId, to, turn }, files !== undefined)
  return { kind: 'done', part, files, message }
}

/**
 * Whether the user wants it: answered with the restore of files, or, if no file changes, asked about the conversation
 * alone.
 */
const isAgreed = async (
  part: TakenPart,
  restored: RestoreResult | undefined,
  question: string,
  dialogs: TakeBackDialogs,
): Promise<boolean> => {
  if (restored?.kind === 'cancelled') return false
  if (restored?.kind === 'restored' || part === 'files') return true
  return dialogs.agree(question, part === 'both' ? SAME_FILES : FILES_STAY)
}

/** Characters of the message that a question names. */
const SHOWN = 60
const KEPT = 'The session keeps what leaves; cairn session rewind --undo brings it back.'
const FILES_STAY = `The files stay as they are. ${KEPT}`
const SAME_FILES = `The files are as they were then already. ${KEPT}`

/**
 * Returns the question that the user is asked: what goes back to before the quoted `message` (files, conversation or
 * both), and if that is the conversation, by how many messages (`leaving`).
 */
const questionOf = (part: TakenPart, message: string, leaving: number): string => {
  const messages = counted(leaving, 'message')
  if (part === 'files') return `Give back the files as they were before “${message}”?`
  return part === 'both'
    ? `Give back the files as they were before “${message}”, and take the conversation back by ${messages}?`
    : `Take the conversation back to before “${message}”? ${messages} would leave it.`
}

/**
 * Restores the files that the turn's tools changed, or all of them if it ran a command, with the dialogs. `same` if the
 * turn changed none or they are as they were then, `cancelled` if the user cancels. Rejects as the checkpoints do.
 */
const restoreFiles = async (
  engine: TakeBackEngine,
  { folder, checkpointId }: TakeBackRequest,
  { turn, part, question }: { readonly turn: ChangingTurn; readonly part: TakenPart; readonly question: string },
  dialogs: TakeBackDialogs,
): Promise<RestoreResult> => {
  if (turn.changed?.length === 0) return { kind: 'same' }
  const checkpoint = await engine.checkpoints.find(folder, checkpointId)
  return restoreCheckpoint(
    engine,
    {
      checkpoint,
      withConversation: part === 'both',
      ...(turn.changed === undefined ? {} : { paths: turn.changed }),
    },
    dialogs.restore(question),
  )
}

/** Rewinds the conversation. If the files stay, the agent is told which of them differ from what it knows. */
const takeConversation = async (
  engine: TakeBackEngine,
  {
    sessionId,
    to,
    turn,
  }: { readonly sessionId: string; readonly to: { readonly entry: number }; readonly turn: ChangingTurn },
  hasFiles: boolean,
): Promise<void> => {
  const paths = await engine.files.editedSince(sessionId, { message: turn.message.id })
  await engine.sessions.rewind(sessionId, to)
  if (!hasFiles)
    await engine.files.warn(sessionId, { reason: 'the conversation was taken back, the files were not', paths })
}

/**
 * Returns how many entries are messages of the user or the model; results of tools and the agent's notices don't count.
 */
const messagesIn = (entries: ReturnType<typeof planRewind>['left']): number =>
  entries.filter((entry) => entry.kind === 'message' && entry.role !== 'tool' && entry.origin !== 'meta').length

/** Returns what the user wrote, without what was attached. */
const messageOf = ({ message: { content } }: ChangingTurn): string => textWithoutMentions(withoutChanges(content))
