/** `cairn session delete`. */
import { CairnError } from '@cairn/core'
import type { SessionSummary } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { counted, formatBytes, formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { costCell } from '../output/usage-table.ts'

/** The options of `session delete`. */
export interface DeleteOptions extends CommonOptions {
  /** Deletes without asking. */
  readonly yes?: boolean
}

/**
 * Shows the session and asks whether to delete it; deletes nothing. Resolves for `y` or `yes`, in any case. Rejects
 * with `usage` for any other answer, none too, or without a terminal to ask on, and with `Interrupted` at Ctrl-C.
 */
const confirm = async (session: SessionSummary, { terminal }: Context): Promise<void> => {
  if (!terminal.canAsk)
    throw new CairnError('usage', `There is no terminal to ask on: add --yes to delete ${session.id}.`)
  terminal.note(
    `${session.id}: ${neutraliseLine(session.title ?? 'no title')}, ${formatTime(session.updatedAt)}, ${counted(session.messages, 'message')}, ${costCell(session)}`,
  )
  const answer = await terminal.ask('Delete it for real? [y/N] ')
  if (answer === undefined || !/^y(?:es)?$/i.test(answer)) throw new CairnError('usage', 'Nothing was deleted.')
}

/**
 * Deletes a session for good, after a question that `--yes` answers, and prints how much was deleted: `{deleted}` as
 * JSON. Rejects as `confirm` does, and with `not-found` or `ambiguous` for the id.
 */
export const runDelete = async (idOrPrefix: string, options: DeleteOptions, context: Context): Promise<void> => {
  const engine = await context.engine(options)
  const session = await engine.sessions.find(idOrPrefix)
  if (options.yes !== true) await confirm(session, context)
  const removed = await engine.store.sessions.delete(session.id)
  if (removed === undefined) throw new CairnError('not-found', `Session ${session.id} is gone already.`)
  if (options.json === true) return context.json({ deleted: removed })
  const { entries, requests, sourceLines, bytes } = removed
  await context.terminal.line(
    `Deleted ${session.id}: ${counted(entries, 'log entry')}, ${counted(requests, 'request')} (${costCell(session)}), ${counted(sourceLines, 'transcript line')}, ${formatBytes(bytes)}.`,
  )
}
