/** Declares `cairn context mentions`. */
import type { Command } from 'commander'
import type { Context } from '../command.ts'
import { wholeNumber } from '../options/option-values.ts'
import type { MentionsOptions } from './context-mentions.ts'

const HELP = `
What a text can mention:
  @src/app.ts                  a file, an image or a PDF
  @src/app.ts:12-20            lines of a file; also :12 and #L12-20
  @"my notes.md"               a path with spaces
  @src/                        the paths below a folder
  @git, @git:branch            uncommitted changes; the branch
  @git:1a2b3c4                 a commit
  @session, @session:0ccf1a04  the newest session of the project; another one
  @memory                      what is remembered about the project

Nothing is written or sent. Paths are relative to the current project, or to
--workspace. Files that are ignored (.gitignore, .cairnignore, .clineignore),
outside of the project, binary or too large are refused with the reason. All
mentions together take at most 40,000 tokens. "cairn context send" sends what is
shown here.

Examples:
  cairn context mentions "why does @src/app.ts:12-20 fail? see @git"
  cairn context mentions '@"docs/my notes.md" and @src/'
  cairn context mentions "@session:0ccf1a04 @memory" --show
  cairn context mentions "go on from @session" --session 0ccf1a04
  cairn context mentions "sum up @docs/" --max-tokens 500
  cairn context mentions - --json < question.txt`

/** Adds `mentions` to the context's commands. */
export const defineMentions = (command: Command, context: Context): void => {
  command
    .command('mentions')
    .description('Show what @file, @git or @session in a text would send, and what not.')
    .argument('<text>', 'the text; - reads it from standard input')
    .option(
      '--session <id>',
      'the session that @session means, or the beginning of its id (default: the newest of the project)',
    )
    .option(
      '--max-tokens <n>',
      'at most this many tokens per mention, heading included',
      wholeNumber('--max-tokens', 1),
      10_000,
    )
    .option('--show', 'also print the content that would be sent')
    .addHelpText('after', HELP)
    .action(async (text: string, options: MentionsOptions) =>
      (await import('./context-mentions.ts')).runMentions(text, options, context),
    )
}
