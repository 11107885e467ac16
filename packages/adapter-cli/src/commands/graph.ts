/** `cairn graph`: what is known about a file, a symbol, a session, an entry or a commit, and what it is linked with. */
import { GRAPH_NODE_KINDS } from '@cairn/core'
import type { Define } from '../command.ts'
import { oneOf, wholeNumber } from '../options/option-values.ts'
import type { GraphOptions } from './graph-answer.ts'

const HELP = `
A file of the project that you are in also has what it imports, what imports
it, and circles of imports through it: TypeScript, JavaScript, Python, Go, Rust.

What the text is, is found out; "file:", "symbol:", "session:", "message:",
"entry:" or "commit:" before it says so. Files go by their path or its end.

Examples:
  cairn graph src/auth.ts                 which sessions touched it, and what
                                          is remembered about it
  cairn graph src/auth.ts --since 7d      what changed since
  cairn graph createEngine --kinds session,file
  cairn graph session:0ccf1a04            files, commits, entries of a session
  cairn graph 1a2b3c4 --json`

/** Declares `cairn graph`: description, options, help and action. */
export const define: Define = (command, context) => {
  const kindsOf = oneOf('--kinds', GRAPH_NODE_KINDS)
  command
    .description('What is known about a file, symbol, session, entry or commit, and what it is linked with.')
    .argument('<what>', "a path, a symbol, a commit, or an id's beginning")
    .option('--since <time>', 'only links since')
    .option('--until <time>', 'only links before')
    .option('--kinds <kinds>', `only links with these: ${GRAPH_NODE_KINDS.join(', ')}`, (text: string) =>
      text.split(',').map((kind) => kindsOf(kind.trim())),
    )
    .option('--limit <n>', 'at most n links of each kind', wholeNumber('--limit', 1), 8)
    .addHelpText('after', HELP)
    .action(async (what: string, options: GraphOptions) =>
      (await import('./graph-answer.ts')).runGraph(what, options, context),
    )
}
