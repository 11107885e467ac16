/** Declares `cairn context rules`. */
import type { Command } from 'commander'
import type { Context } from '../command.ts'
import { someText } from '../options/option-values.ts'
import type { RulesOptions } from './context-rules.ts'

const HELP = `
AGENTS.md, CLAUDE.md, GEMINI.md, .cursor/rules, .windsurf/rules, .clinerules,
.github/instructions and related files of the project, of the folders above it,
and your own. The same text under two names counts once. If two contradict each
other, the lower one in the list applies. Prompts that these agents keep in
files (workflows, commands) are listed at the end.

--off and --on are kept for the project, and hold for what Cairn sends (cairn
context send, run, chat, prompts over MCP); other agents read the files
themselves. Paths are those of the list, or an end that only one has.

Examples:
  cairn context rules
  cairn context rules --file src/app.ts
  cairn context rules --off .cursorrules
  cairn context rules --on .cursorrules
  cairn context rules --show
  cairn context rules --json`

/** Adds `rules` to the context's commands. */
export const defineRules = (command: Command, context: Context): void => {
  command
    .command('rules')
    .description("List a project's rules files: when each applies, its tokens, on or off.")
    .option(
      '--file <path>',
      'only those that apply to this file, which need not exist yet',
      someText('--file', 'a path'),
    )
    .option('--off <path>', 'switch one off in this project', someText('--off', 'the path of a rules file'))
    .option('--on <path>', 'switch it on again', someText('--on', 'the path of a rules file'))
    .option('--show', 'also print the texts of those that apply')
    .addHelpText('after', HELP)
    .action(async (options: RulesOptions) => (await import('./context-rules.ts')).runRules(options, context))
}
