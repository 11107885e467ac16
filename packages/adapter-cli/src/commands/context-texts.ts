/** Declares the `cairn context` commands for a project's own files: mentions, rules and focus. */
import type { Command } from 'commander'
import type { Context } from '../command.ts'
import { someText, wholeNumber } from '../options/option-values.ts'
import type { FocusOptions } from './context-focus.ts'
import type { MentionsOptions } from './context-mentions.ts'
import type { RulesOptions } from './context-rules.ts'

const MENTIONS_HELP = `
Nothing is written and nothing is sent. Files are those of the project that you
are in, or of --workspace; what is ignored (.gitignore, .cairnignore,
.clineignore), lies outside, is no text or too large is not sent, and the reason
is told. "cairn context send" sends what stands here.

Examples:
  cairn context mentions "why does @src/app.ts:12-20 fail? see @git"
  cairn context mentions '@"docs/my notes.md" and @src/'
  cairn context mentions "@session:0ccf1a04 @memory" --show
  cairn context mentions - --json < question.txt`

const RULES_HELP = `
AGENTS.md, CLAUDE.md, GEMINI.md, .cursor/rules, .windsurf/rules, .clinerules,
.github/instructions and what belongs to them, of the project, of the folders
above it, and your own. The same text under two names counts once. Of two that
contradict each other, the lower one in the list holds. Prompts that these
agents keep as files (workflows, commands) are listed below.

Examples:
  cairn context rules
  cairn context rules --file src/app.ts
  cairn context rules --off .cursorrules
  cairn context rules --on .cursorrules
  cairn context rules --show
  cairn context rules --json`

const FOCUS_HELP = `
It is kept for the project until it is changed, and stands in each request that
Cairn makes for one of its sessions, whatever the context policy leaves out.

Examples:
  cairn context focus src/billing/
  cairn context focus "only the parser; leave the tests alone"
  cairn context focus
  cairn context focus --clear`

/** Adds `mentions`, `rules` and `focus` to the context's commands. */
export const defineTexts = (command: Command, context: Context): void => {
  defineMentions(command, context)
  defineRules(command, context)
  defineFocus(command, context)
}

/** Declares `context focus`. */
const defineFocus = (command: Command, context: Context): void => {
  command
    .command('focus')
    .description('What the work on a project is to look at: it stands in every request.')
    .argument('[text]', 'a path or a text; without one, what it is now')
    .option('--clear', 'there is no focus any more')
    .addHelpText('after', FOCUS_HELP)
    .action(async (text: string | undefined, options: FocusOptions) =>
      (await import('./context-focus.ts')).runFocus(text, options, context),
    )
}

/** Declares `context rules`. */
const defineRules = (command: Command, context: Context): void => {
  command
    .command('rules')
    .description("Agents' rules files of a project: when each holds, its tokens, on or off.")
    .option('--file <path>', 'those that hold for this file', someText('--file', 'a path'))
    .option('--off <id>', 'switch one off in this project', someText('--off', 'the path of a rules file'))
    .option('--on <id>', 'switch it on again', someText('--on', 'the path of a rules file'))
    .option('--show', 'print the texts, too')
    .addHelpText('after', RULES_HELP)
    .action(async (options: RulesOptions) => (await import('./context-rules.ts')).runRules(options, context))
}

/** Declares `context mentions`. */
const defineMentions = (command: Command, context: Context): void => {
  command
    .command('mentions')
    .description('What @file, @git, @session in a text stand for: what would be sent, what not.')
    .argument('<text>', 'the text; - reads it from standard input')
    .option('--session <id>', 'what @session means (default: the newest of the project)')
    .option('--max-tokens <n>', 'at most so many tokens of one mention', wholeNumber('--max-tokens', 1), 10_000)
    .option('--show', 'print what would be sent, too')
    .addHelpText('after', MENTIONS_HELP)
    .action(async (text: string, options: MentionsOptions) =>
      (await import('./context-mentions.ts')).runMentions(text, options, context),
    )
}
