/** Help for `cairn statusline`. Agents run a separate program, which bin/cairn.js starts directly. */
import type { Define } from '../command.ts'
import { runHookProgram } from '../hooks/hook-program.ts'
import { hookProcess } from './hook.ts'
import { SEGMENT_NAMES } from '../statusline/segment-names.ts'

const HELP = `
Claude Code and Copilot CLI run this and show what it prints; cairn setup adds
it to their settings. It reads the agent's JSON from standard input.

  Opus 4.5 · ctx ███░░░░░ 38% of 200k · $4.21 · today $18.90 · warm 4m · 5h 27%

  model     the model that answers
  context   how full the context window is
  session   what this session has cost, from the agent or else from the store
  today     what all sessions have cost since midnight
  cache     how long the provider's cache stays warm, and misses
  limits    how much of the subscription's limits is used
  budget    today against budget.day, the month against budget.month
  burn      USD per hour of this session
  project   what this project has cost
  folder    the working folder's name

Segments without a value are left out; in a narrow window, so are the last ones.
NO_COLOR and COLUMNS are respected.

Examples:
  cairn statusline < event.json
  cairn config set statusline.segments model,context,session,cache
  cairn config set budget.day 25`

/** Declares `cairn statusline`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description(`One line for an agent's status bar: ${SEGMENT_NAMES.join(', ')}.`)
    .addHelpText('after', HELP)
    .action(async (options: Readonly<Record<string, unknown>>) => {
      const store = typeof options['store'] === 'string' ? ['--store', options['store']] : []
      const plain = options['color'] === false ? ['--no-color'] : []
      await runHookProgram(['statusline', ...store, ...plain], hookProcess(context))
    })
}
