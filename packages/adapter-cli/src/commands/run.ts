/** `cairn run`: lets a model work on a task in the project, with tools, within limits. */
import type { Define } from '../command.ts'
import { withAgentOptions } from '../agent/agent-options.ts'
import { OTEL_OPTION } from '../telemetry/live-export.ts'
import type { RunOptions } from './run-task.ts'

const HELP = `
The agent reads, searches and edits the project's files, runs commands, and
knows what was learnt in earlier sessions. Each step is stored before the next,
so that --resume can continue a run that was killed. Calls that only read need
no approval; --approve edits also lets it change files, --approve all also run
commands. Anything outside of the project always needs approval. In a pipe
nobody can be asked: a call that needs approval ends the run with exit code 3
and is named. --rule decides in advance: allow, ask or deny, then tool, path or
command.

Exit codes: 0 done, 3 stopped by a limit, approval or mistakes, 130 Ctrl-C.

Examples:
  cairn run "why does the login test fail?" --model claude-sonnet-5
  cairn run "fix it" --approve edits --rule "allow command npm test"
  cairn run "plan the move to Node 24" --mode plan
  cairn run --resume
  cairn run "continue with step two" --resume 0ccf1a04
  cairn run - --approve all --max-cost 0.50 --json < task.md
  cairn run "why does it fail?" --otel http://127.0.0.1:4318`

/** Declares `cairn run`: description, options, help and action. */
export const define: Define = (command, context) => {
  withAgentOptions(command)
    .description('Let a model work on a task in the project, with tools and within limits.')
    .argument('[task]', 'the task; - reads standard input')
    .option(...OTEL_OPTION)
    .option('--json', 'print one JSON document per line for each event')
    .addHelpText('after', HELP)
    .action(async (task: string | undefined, options: RunOptions) => {
      const { runTask } = await import('./run-task.ts')
      await runTask(task, options, context)
    })
}
