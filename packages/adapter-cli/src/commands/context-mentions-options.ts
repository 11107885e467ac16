/** Declares `cairn context mentions`. */
import type { Command } from 'commander'
import type { Context } from '../command.ts'
import { wholeNumber } from '../options/option-values.ts'
import type { MentionsOptions } from './context-mentions.ts'

const HELP = `
Nothing is written or sent. Paths are relative to the current project, or to
--workspace. Files that are ignored (.gitignore, .cairnignore, .clineignore),
outside of the project, binary or too large are refused with the reason. "cairn
context send" sends what is shown here.

Examples:
  cairn context mentions "why does @src/app.ts:12-20 fail? see @git"
  cairn context mentions '@"docs/my notes.md" and @src/'
  cairn context mentions "@session:0ccf1a04 @memory" --show
  cairn context mentions - --json < question.txt`

/** Adds `mentions` to the context's commands. */
export const defineMentions = (command: Command, context: Context): void => {
  command
    .command('mentions')
    .description('Show what @file, @git or @session in a text would send, and what not.')
    .argument('<text>', 'the text; - reads it from standard input')
    .option('--session <id>', 'what @session means (default: the newest of the project)')
    .option('--max-tokens <n>', 'at most this many tokens per mention', wholeNumber('--max-tokens', 1), 10_000)
    .option('--show', 'also print what would be sent')
    .addHelpText('after', HELP)
    .action(async (text: string, options: MentionsOptions) =>
      (await import('./context-mentions.ts')).runMentions(text, options, context),
    )
}
