/** `cairn session show --outline`: the cost of each turn of a session. */
import { CairnError } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { outlineJson, outlineLines } from '../output/outline-table.ts'
import { sessionNamed } from './session-named.ts'

/**
 * Shows a session as turns with their subagents; as JSON what `outlineJson` gives. Rejects with `usage` where only a part
 * of the session is asked for.
 */
export const runOutline = async (
  named: string | undefined,
  options: CommonOptions & { readonly message?: string; readonly at?: string },
  context: Context,
): Promise<void> => {
  if (options.message !== undefined || options.at !== undefined)
    throw new CairnError('usage', '--outline is of the whole session; leave --message and --at out.')
  const { terminal } = context
  const engine = await context.readEngine(options)
  const session = await sessionNamed(named, engine, options, context)
  const outline = await engine.insights.outline(session.id)
  if (options.json === true) return context.json(outlineJson(session.id, outline))
  for (const line of outlineLines(outline, terminal.width)) {
    if (terminal.outputFailure !== undefined) return
    await terminal.line(line)
  }
}
