/** Declares the `cairn context` commands for a project's own files: mentions, rules and focus. */
import type { Command } from 'commander'
import type { Context } from '../command.ts'
import { someText, wholeNumber } from '../options/option-values.ts'
import type { FocusOptions } from './context-focus.ts'
import type { MentionsOptions } from './context-mentions.ts'
import type { RulesOptions } from './context-rules.ts'

const MENTIONS_HELP = `
Nothing is written or sent. Paths are relative to the current project, or to
--workspace. Files that are ignored (.gitignore, .cairnignore, .clineignore),
outside of the project, binary or too large are refused with the reason. "cairn
context send" sends what is shown here.

Examples:
  cairn context mentions "why does @src/app.ts:12-20 fail? see @git"
  cairn context mentions '@"docs/my notes.md" and @src/'
  cairn context mentions "@session:0ccf1a04 @memory" --show
  cairn context mentions - --json < question.txt`

const RULES_HELP = `
AGENTS.md, CLAUDE.md, GEMINI.md, .cursor/rules, .windsurf/rules, .clinerules,
.github/instructions and related files of the project, of the folders above it,
and your own. The same text under two names counts once. If two contradict each
other, the lower one in the list applies. Prompts that these agents keep in
files (workflows, commands) are listed at the end.

Examples:
  cairn context rules
  cairn context rules --file src/app.ts
  cairn context rules --off .cursorrules
  cairn context rules --on .cursorrules
  cairn context rules --show
  cairn context rules --json`

const FOCUS_HELP = `
The focus is kept for the project until you change it, and is part of every
request that Cairn makes for its sessions, whatever the context policy removes.

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
    .description("Set or show the project's focus, which is part of every request.")
    .argument('[text]', 'a path or a text (default: show the current focus)')
    .option('--clear', 'remove the focus')
    .addHelpText('after', FOCUS_HELP)
    .action(async (text: string | undefined, options: FocusOptions) =>
      (await import('./context-focus.ts')).runFocus(text, options, context),
    )
}

/** Declares `context rules`. */
const defineRules = (command: Command, context: Context): void => {
  command
    .command('rules')
    .description("List a project's rules files: when each applies, its tokens, on or off.")
    .option('--file <path>', 'only those that apply to this file', someText('--file', 'a path'))
    .option('--off <id>', 'switch one off in this project', someText('--off', 'the path of a rules file'))
    .option('--on <id>', 'switch it on again', someText('--on', 'the path of a rules file'))
    .option('--show', 'also print the texts')
    .addHelpText('after', RULES_HELP)
    .action(async (options: RulesOptions) => (await import('./context-rules.ts')).runRules(options, context))
}

/** Declares `context mentions`. */
const defineMentions = (command: Command, context: Context): void => {
  command
    .command('mentions')
    .description('Show what @file, @git or @session in a text would send, and what not.')
    .argument('<text>', 'the text; - reads it from standard input')
    .option('--session <id>', 'what @session means (default: the newest of the project)')
    .option('--max-tokens <n>', 'at most this many tokens per mention', wholeNumber('--max-tokens', 1), 10_000)
    .option('--show', 'also print what would be sent')
    .addHelpText('after', MENTIONS_HELP)
    .action(async (text: string, options: MentionsOptions) =>
      (await import('./context-mentions.ts')).runMentions(text, options, context),
    )
}
