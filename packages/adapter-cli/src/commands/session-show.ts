/** `cairn session show`: a session to read on a terminal. */
import type { CommonOptions, Context } from '../command.ts'
import { sessionJson } from '../json-output.ts'
import { eachEntry } from '../session-output/entries.ts'
import { headerLines } from '../session-output/header.ts'
import { createTerminalTranscript } from '../session-output/terminal-transcript.ts'

export interface ShowOptions extends CommonOptions {
  readonly full?: boolean
}

/** Shows a session: `{session, entries}` as JSON. */
export const runShow = async (idOrPrefix: string, options: ShowOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const engine = await context.readEngine(options)
  const session = await engine.session(idOrPrefix)
  if (options.json === true) {
    return context.json({ session: sessionJson(session), entries: await engine.log(session.id) })
  }
  for (const line of await headerLines(session, engine, terminal)) await terminal.line(line)
  const transcript = createTerminalTranscript(terminal, options.full === true)
  for await (const entry of eachEntry(session.id, engine)) {
    // Whoever read the output has seen enough: `cairn session show … | head`.
    if (terminal.outputFailure !== undefined) return
    for (const line of transcript.lines(entry)) await terminal.line(line)
  }
}
