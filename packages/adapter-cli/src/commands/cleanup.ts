/** `cairn cleanup`: finds and removes what killed processes and deletions left behind. */
import { CairnError } from '@cairn/core'
import type { CleanUpReport } from '@cairn/core'
import type { CommonOptions, Context, Define } from '../command.ts'
import { cleanUpLines } from '../output/clean-up-text.ts'

interface CleanUpOptions extends CommonOptions {
  readonly dryRun?: boolean
}

const HELP = `
Removes only data that nothing refers to or that can be rebuilt; never messages,
requests, notes, memory or checkpoints. A short clean-up also runs automatically
once a day, when import, watch or dashboard starts.
Exit code 1 if part of it failed.

Examples:
  cairn cleanup --dry-run          what is left over, and why it can go
  cairn cleanup
  cairn cleanup --json`

/** Declares `cairn cleanup`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Remove what killed processes and deleted sessions left behind.')
    .option('--dry-run', 'count it, but remove nothing')
    .addHelpText('after', HELP)
    .action((options: CleanUpOptions) => runCleanUp(options, context))
}

/**
 * Cleans up without asking (`--dry-run`: only counts), and prints per kind what was found (as JSON: `CleanUpReport`).
 * Parts that could not be done make the exit code 1. Rejects with `usage` for a workspace: it goes over the whole
 * store.
 */
const runCleanUp = async (options: CleanUpOptions, context: Context): Promise<void> => {
  if (options.workspace !== undefined)
    throw new CairnError('usage', 'cleanup goes over the whole store; leave --workspace out. Nothing was removed.')
  const engine = await context.readEngine(options)
  const report = await engine.cleanUp.run({ dryRun: options.dryRun === true })
  if (report.problems.length > 0) context.setExitCode(1)
  if (options.json === true) return context.json(report)
  await show(report, context)
}

/** Prints what was cleaned up. */
const show = async (report: CleanUpReport, { terminal }: Context): Promise<void> => {
  for (const line of cleanUpLines(report, terminal.width)) await terminal.line(line)
}
