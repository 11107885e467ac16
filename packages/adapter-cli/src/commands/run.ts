/** `cairn run`: has a model work on a task in the project, with tools, within limits. */
import type { Define } from '../command.ts'
import { withAgentOptions } from '../agent/agent-options.ts'
import { OTEL_OPTION } from '../telemetry/live-export.ts'
import type { RunOptions } from './run-task.ts'

const HELP = `
The agent reads, searches and edits files of the project, runs commands, and
knows what earlier sessions learnt. Each step is stored before the next: a run
that was killed goes on with --resume. Calls that only read run by themselves;
--approve edits lets it change files, --approve all run commands, too. What
reaches out of the project is always asked about. In a pipe nothing is asked:
a call that needs an approval ends the run, which exits with 3 and says which.
--rule settles it before: allow, ask or deny, then tool, path or command.

Exit codes: 0 done, 3 a limit, an approval or mistakes stopped it, 130 Ctrl-C.

Examples:
  cairn run "why does the login test fail?" --model claude-sonnet-5
  cairn run "mend it" --approve edits --rule "allow command npm test"
  cairn run "plan the move to Node 24" --mode plan
  cairn run --resume
  cairn run "go on with step two" --resume 0ccf1a04
  cairn run - --approve all --max-cost 0.50 --json < task.md
  cairn run "why does it fail?" --otel http://127.0.0.1:4318`

/** Declares `cairn run`: description, options, help and action. */
export const define: Define = (command, context) => {
  withAgentOptions(command)
    .description('Have a model work on a task in the project, with tools, within limits.')
    .argument('[task]', 'what is to be done; - reads standard input')
    .option(...OTEL_OPTION)
    .option('--json', 'print one JSON document a line for each event')
    .addHelpText('after', HELP)
    .action(async (task: string | undefined, options: RunOptions) => {
      const { runTask } = await import('./run-task.ts')
      await runTask(task, options, context)
    })
}
