/** `cairn context`: its subcommands, each in a module of its own. */
import type { Command } from 'commander'
import { CairnError } from '@cairn/core'
import type { ManualAction } from '@cairn/core'
import type { Context, Define } from '../command.ts'
import { withModelOptions, withPolicyOptions } from '../options/model-options.ts'
import { someText, wholeNumber } from '../options/option-values.ts'
import type { CountOptions } from './context-count.ts'
import { defineRelated } from './context-related-options.ts'
import type { EditOptions } from './context-edit.ts'
import { defineDocuments } from './context-documents-options.ts'
import { defineMap } from './context-map-options.ts'
import type { RelatedOptions } from './context-related.ts'
import { defineFocus } from './context-focus-options.ts'
import { defineMentions } from './context-mentions-options.ts'
import { defineRules } from './context-rules-options.ts'
import type { SendOptions } from './context-send.ts'
import type { ShowOptions } from './context-show.ts'

const CONTEXT_HELP = `
"cairn context" alone is "cairn context show". show, count, send, pin, drop and
restore are about a session's messages; map, mentions, rules, focus, related,
index and docs about the files of a project. "cairn context <command> --help"
explains each.

Examples:
  cairn context show
  cairn context show 0ccf1a04 --policy cline
  cairn context pin 5f0c2a1e
  cairn context related "rate limit of the login"
  cairn context mentions "why does @src/app.ts:12-20 fail?"`

const SHOW_HELP = `
Nothing is written: what the policy would change for this request is only marked
with a star. The default session is the newest of the current project. Older
messages that are unchanged or gone are only counted; --all lists them. The ids
in front of messages and blocks are those that pin, drop and restore take.

Examples:
  cairn context show
  cairn context show 0ccf1a04 --all | less
  cairn context show 0ccf1a04 --policy cline --window 128000
  cairn context show 0ccf1a04 --preset lean --prefix 21000
  cairn context show 0ccf1a04 --model gpt-5
  cairn context show 0ccf1a04 --at "2026-01-31 12:00"
  cairn context show 0ccf1a04 --json
  cairn context --related "rate limit of the login" --limit 5`

const SEND_HELP = `
The session is the model's context, as "cairn context show" lists it. Your
message is stored before it is sent, and the reply with its cost; secrets in
both are replaced first. Mentions (@src/app.ts:12-20, @git, …; see "cairn
context mentions") are sent along, and so are the rules files of the whole
project ("cairn context rules") and the language setting ("cairn config set
language German"). On a terminal the reply is shown as it arrives, otherwise
when it is complete. Notices and the cost go to standard error. Ctrl-C stops
the request.

The default model is the one that the session used last. Its provider is found
by the model's name; cairn models shows which providers have a key.

Examples:
  cairn context send 0ccf1a04 "what did we decide?"
  cairn context send 0ccf1a04 "summarise the open points" --model gpt-5.1
  cairn context send 0ccf1a04 "hello" --model qwen3 --provider ollama
  cairn context send 0ccf1a04 "and without rules?" --no-rules
  cairn context send 0ccf1a04 "who is @alice?" --no-mentions
  cairn context send 0ccf1a04 "and now?" --policy none --window 200000
  cairn context send 0ccf1a04 - < question.txt
  cairn context send 0ccf1a04 "what did we decide?" --json`

const EDITS: readonly { readonly action: ManualAction; readonly description: string; readonly help: string }[] = [
  {
    action: 'pin',
    description: 'Keep a message or a block in the context, whole.',
    help: `
No policy shortens or takes out what is pinned. A tool's result keeps its call.
"cairn context show --all" lists the ids.

Examples:
  cairn context pin 3f9c21d0             a message
  cairn context pin 3f9c21d0:1           its second block
  cairn context pin 360cf10b --session 0ccf1a04`,
  },
  {
    action: 'drop',
    description: 'Leave a message or a block out of the context.',
    help: `
The log keeps it. A call takes its result along. "cairn context show --all"
lists the ids; "cairn context restore" takes a drop back.

Examples:
  cairn context drop 3f9c21d0
  cairn context drop 3f9c21d0:0 --session 0ccf1a04 --json`,
  },
  {
    action: 'restore',
    description: 'Undo a pin or a drop, or bring back what left the context.',
    help: `
What was pinned or dropped is left to the policy again. What a policy or a
compaction shortened or took out comes back whole, and is pinned.

Examples:
  cairn context restore 3f9c21d0
  cairn context restore 23969559:0 --session 0ccf1a04`,
  },
]

const COUNT_HELP = `
Asks the provider's token counter, which is free and does not run the model. It
needs the provider's key, and the messages are sent there. The count is stored,
and later estimates start from it. Anthropic, OpenAI and Google have a counter;
servers with OpenAI's older API do not.

Examples:
  cairn context count
  cairn context count 0ccf1a04
  cairn context count 0ccf1a04 --model claude-haiku-4-5
  cairn context count 0ccf1a04 --policy none --json`

/** Declares `cairn context`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Show what the next request would contain and why; count it, change it, send it.')
    .addHelpText('after', CONTEXT_HELP)
  withPolicyOptions(
    command
      .command('show', { isDefault: true })
      .description("Show what a session's next request would contain, block by block, and why.")
      .argument('[session]', 'a session, or the beginning of its id'),
  )
    .option('--window <tokens>', "the context window (default: the model's)", wholeNumber('--window', 1))
    .option(
      '--prefix <tokens>',
      'tokens of system prompt and tools (default: as in the last request)',
      wholeNumber('--prefix'),
    )
    .option('--model <name>', 'continue with this model', someText('--model', "a model's name"))
    .option('--at <time>', 'as it was at this time')
    .option('--all', 'list every message')
    .option(
      '--related <text>',
      'rank files for a task instead, like "cairn context related"',
      someText('--related', 'a text'),
    )
    .option('--file <path>', 'with --related: a file that is known to be part of it', someText('--file', 'a path'))
    .option('--limit <n>', 'with --related: at most this many files (default: 20)', wholeNumber('--limit', 1))
    .addHelpText('after', SHOW_HELP)
    .action(
      async (
        session: string | undefined,
        options: ShowOptions & RelatedOptions & { readonly related?: string },
        show: Command,
      ) => {
        const { related } = options
        checkRelated(related !== undefined, session, show)
        if (related === undefined) return (await import('./context-show.ts')).runShow(session, options, context)
        return (await import('./context-related.ts')).runRelated(related, options, context)
      },
    )
  defineSend(command, context)
  for (const { action, description, help } of EDITS) {
    command
      .command(action)
      .description(description)
      .argument('<message>', 'the id of a message or its beginning, with :<block> for one block')
      .option('--session <id>', 'a session, or the beginning of its id (default: the newest of the project)')
      .addHelpText('after', help)
      .action(async (message: string, options: EditOptions) =>
        (await import('./context-edit.ts')).runEdit(action, message, options, context),
      )
  }
  // In the order of the help.
  for (const add of [defineMap, defineCount, defineMentions, defineRules, defineFocus, defineRelated, defineDocuments])
    add(command, context)
}

/**
 * Checks the options that only one of `show` and `show --related` reads.
 * @throws CairnError `usage` for one that would be passed over
 */
const checkRelated = (isRelated: boolean, session: string | undefined, show: Command): void => {
  const given = (...names: readonly string[]): string | undefined =>
    names.find((name) => show.getOptionValueSource(name) === 'cli')
  const alone = isRelated ? undefined : given('file', 'limit')
  if (alone !== undefined) throw new CairnError('usage', `--${alone} needs --related and a text.`)
  const other = isRelated ? given('policy', 'preset', 'window', 'prefix', 'model', 'at', 'all') : undefined
  if (other !== undefined)
    throw new CairnError('usage', `--related ranks the files of the project: leave out --${other}.`)
  if (isRelated && session !== undefined)
    throw new CairnError('usage', '--related ranks the files of the project, whatever the session: leave it out.')
}

/** Declares `context count`. */
const defineCount = (command: Command, context: Context): void => {
  const count = command
    .command('count')
    .description("Count the tokens of the next request with the provider's own counter.")
    .argument('[session]', 'a session, or the beginning of its id')
  withPolicyOptions(withModelOptions(count, "count for this model (default: the session's)"))
    .addHelpText('after', COUNT_HELP)
    .action(async (session: string | undefined, options: CountOptions) =>
      (await import('./context-count.ts')).runCount(session, options, context),
    )
}

/** Declares `context send`. */
const defineSend = (command: Command, context: Context): void => {
  const send = command
    .command('send')
    .description('Send a message to a model with a session as its context, and record both.')
    .argument('<session>', 'a session, or the beginning of its id')
    .argument('<text>', 'the message; - reads it from standard input')
  withPolicyOptions(withModelOptions(send, "the model (default: the session's last)"))
    .option('--window <tokens>', "the context window (default: the model's)", wholeNumber('--window', 1))
    .option('--no-mentions', 'send the text alone, whatever it mentions')
    .option('--no-rules', "leave out the project's rules files")
    .addHelpText('after', SEND_HELP)
    .action(async (session: string, text: string, options: SendOptions) =>
      (await import('./context-send.ts')).runSend(session, text, options, context),
    )
}
