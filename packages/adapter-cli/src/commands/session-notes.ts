/** `cairn session show --notes`: the state of the work before each trim. */
import { CairnError, notesBeforeTrims } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { counted, formatTime } from '../terminal/format.ts'
import { neutralise, neutraliseLine } from '../terminal/neutralise.ts'
import { wrapLine } from '../terminal/wrap.ts'
import { sessionNamed } from './session-named.ts'

/**
 * Shows what was noted when a session's context was trimmed or compacted, oldest first: `{session, notes: [{seq, at,
 * by, origin, text}]}` as JSON. `at`: ms, only the log until then. None is no failure; `--message` rejects with
 * `usage`.
 */
export const runNotes = async (
  named: string | undefined,
  at: number | undefined,
  options: CommonOptions & { readonly message?: string },
  context: Context,
): Promise<void> => {
  const { terminal } = context
  if (options.message !== undefined)
    throw new CairnError('usage', '--notes are of the whole session; leave --message out.')
  const engine = await context.readEngine(options)
  const session = await sessionNamed(named, engine, options, context)
  const notes = notesBeforeTrims(await engine.sessions.log(session.id, at))
  if (options.json === true) return context.json({ session: session.id, notes })
  for (const note of notes) {
    if (terminal.outputFailure !== undefined) return
    const by = note.by === 'agent' ? 'the agent compacted the context' : `trimmed by ${neutraliseLine(note.by)}`
    const head = `── #${note.seq} · ${formatTime(note.at)} · ${by}${note.origin === 'derived' ? ' (from the log)' : ''} ──`
    for (const line of wrapLine(head, terminal.width)) await terminal.line(terminal.style('yellow', line))
    for (const line of neutralise(note.text).trimEnd().split('\n'))
      for (const part of wrapLine(line, terminal.width)) await terminal.line(part)
    await terminal.line('')
  }
  await terminal.line(
    notes.length === 0
      ? 'The context of this session was never trimmed or compacted, so there is no note.'
      : `Total ${counted(notes.length, 'note')}`,
  )
}
