/** `cairn graph`: what is known about a file, a symbol, a session, an entry or a commit, and what it is linked with. */
import { GRAPH_NODE_KINDS } from '@cairn/core'
import type { Define } from '../command.ts'
import { oneOf, wholeNumber } from '../options/option-values.ts'
import type { GraphOptions } from './graph-answer.ts'

const HELP = `
For a file of the current project it also shows what the file imports, what
imports it, and import cycles: TypeScript, JavaScript, Python, Go, Rust.

The kind of thing is detected; start with "file:", "symbol:", "session:",
"message:", "entry:" or "commit:" to choose it. A file is given by its path or
the end of it.

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
    .description('Show what is known about a file, symbol, session, entry or commit.')
    .argument('<what>', 'a path, a symbol, a commit, or the beginning of an id')
    .option('--since <time>', 'only links since then')
    .option('--until <time>', 'only links before then')
    .option('--kinds <kinds>', `only links to these: ${GRAPH_NODE_KINDS.join(', ')}`, (text: string) =>
      text.split(',').map((kind) => kindsOf(kind.trim())),
    )
    .option('--limit <n>', 'at most n links of each kind', wholeNumber('--limit', 1), 8)
    .addHelpText('after', HELP)
    .action(async (what: string, options: GraphOptions) =>
      (await import('./graph-answer.ts')).runGraph(what, options, context),
    )
}
