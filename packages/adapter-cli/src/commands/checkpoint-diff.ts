/** `cairn checkpoint diff`. */
import type { CommonOptions, Context } from '../command.ts'
import { openCheckpointFolder } from '../options/checkpoint-root.ts'
import { changesText, differenceLine, patchLines } from '../output/checkpoint-output.ts'
import { withProgress } from '../terminal/checkpoint-progress.ts'

/** The options of `checkpoint diff`. */
export interface DiffOptions extends CommonOptions {
  readonly names?: boolean
}

/**
 * Prints what differs between a checkpoint and another one, or the files as they are now: `{root, from, to, files:
 * [{path, change, modes, patch}]}` as JSON; `to` is null for the current files. Shows the text of each change unless
 * `--names`. A restore that was interrupted is brought to its end first, as by `runList`. Rejects with `not-found` or
 * `ambiguous` for an id.
 */
export const runDiff = async (
  named: string,
  other: string | undefined,
  options: DiffOptions,
  context: Context,
): Promise<void> => {
  const { terminal } = context
  const { engine, root } = await openCheckpointFolder(options, context, false)
  const from = await engine.checkpoints.find(root, named)
  const to = other === undefined ? undefined : await engine.checkpoints.find(root, other)
  const withPatch = options.names !== true
  const files = await withProgress(terminal, (onProgress) =>
    engine.checkpoints.diff(root, from.id, to?.id, { onProgress, withPatch }),
  )
  if (options.json === true) return context.json({ root, from: from.id, to: to?.id ?? null, files })
  for (const file of files) {
    if (!withPatch) await terminal.line(differenceLine(file))
    else for (const line of patchLines(file, terminal)) await terminal.line(line)
  }
  await terminal.line(terminal.style('bold', `Total: ${changesText(files)}`))
}
