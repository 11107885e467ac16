/** `cairn session show`: a session to read on a terminal. */
import { createLiveEntries, parseTime } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { sessionJson } from '../json-output.ts'
import { eachEntry } from '../session-output/entries.ts'
import { headerLines } from '../session-output/header.ts'
import { createTerminalTranscript } from '../session-output/terminal-transcript.ts'
import { sessionNamed } from './session-named.ts'

export interface ShowOptions extends CommonOptions {
  readonly full?: boolean
  readonly at?: string
}

/** Shows a session, as it was at a time where one is given: `{session, entries, takenBack}` as JSON. */
export const runShow = async (named: string | undefined, options: ShowOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const { timezone } = await context.settings(options)
  const at = options.at === undefined ? undefined : parseTime(options.at, timezone.value, 'until', context.now())
  const engine = await context.readEngine(options)
  const session = await sessionNamed(named, engine, options, context)
  const live = createLiveEntries()
  const rewinds = await engine.store.sessions.read(session.id, { kinds: ['rewind'] })
  for (const rewind of rewinds) if (at === undefined || rewind.at === null || rewind.at <= at) live.step(rewind)
  if (options.json === true) {
    return context.json({ session: sessionJson(session), entries: await engine.log(session.id, at), takenBack: live.takenBack() })
  }
  for (const line of await headerLines(session, engine, terminal)) await terminal.line(line)
  const transcript = createTerminalTranscript(terminal, options.full === true, (seq) => !live.has(seq))
  const entries = at === undefined ? eachEntry(session.id, engine) : await engine.log(session.id, at)
  for await (const entry of entries) {
    // Whoever read the output has seen enough: `cairn session show … | head`.
    if (terminal.outputFailure !== undefined) return
    for (const line of transcript.lines(entry)) await terminal.line(line)
  }
}
