/** `cairn context focus`: what the work on a project should focus on. */
import { CairnError } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { projectName, projectOf } from '../options/project-option.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** The options of `context focus`. */
export interface FocusOptions extends CommonOptions {
  readonly clear?: boolean
}

/**
 * Shows a project's focus, sets it to `text`, or clears it: `{workspace, focus}` as JSON, null without a focus, and
 * with `before` after `--clear`. Rejects with `usage` for a text together with `--clear`, and for a text that is too
 * long.
 */
export const runFocus = async (text: string | undefined, options: FocusOptions, context: Context): Promise<void> => {
  const isClear = options.clear === true
  if (isClear && text !== undefined) throw new CairnError('usage', 'Give either a focus or --clear, not both.')
  const isChange = isClear || text !== undefined
  const engine = await (isChange ? context.engine(options) : context.readEngine(options))
  const workspace = await projectOf(options, engine, context)
  const { terminal } = context
  const name = neutraliseLine(projectName(workspace))
  if (isClear) {
    const before = await engine.focus.clear(workspace)
    if (options.json === true) return context.json({ workspace, focus: null, before: before ?? null })
    return terminal.line(
      before === undefined
        ? `${name} had no focus.`
        : `${name} has no focus any more (it was: ${neutraliseLine(before)}).`,
    )
  }
  const focus = text === undefined ? await engine.focus.get(workspace) : await engine.focus.set(workspace, text)
  if (options.json === true) return context.json({ workspace, focus: focus ?? null })
  return terminal.line(focus === undefined ? `${name} has no focus.` : `The focus of ${name}: ${neutraliseLine(focus)}`)
}
