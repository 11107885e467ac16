// The levels of packages/core/src: imports point downwards only, and entries of one level don't import each other.
//
// An entry is a folder or a file directly in src. Levels 0 and 2 have two rows, as the upper one builds on the lower one.
// A new entry must be put into this table before it lints.
import { relative, resolve, sep } from 'node:path'
import { resolveRelative } from './module-graph.mjs'

const LEVELS = [
  ['result', 'errors', 'money', 'json', 'input', 'time-text', 'store-address', 'data-folder', 'unsafe-characters'],
  ['messages', 'session-log', 'events', 'user-words', 'pending-calls'],
  ['ports'],
  [
    'tokens',
    'models',
    'state',
    'session',
    'usage',
    'summary',
    'file-activity',
    'redaction',
    'text-analysis',
    'incognito',
    'retries',
    'caching',
    'setup',
  ],
  ['tracking', 'sync', 'conversation'],
  ['context', 'archive', 'memory', 'notes', 'watching', 'checkpoints', 'backups', 'sources'],
  ['recall', 'graph', 'health', 'importers', 'replay', 'requests', 'suggestions', 'cleanup', 'insights'],
  ['agent', 'session-start', 'projects'],
  ['hooks', 'shards'],
  ['engine'],
  ['index'],
]
/** Files of these rows may build on files of the same row. */
const OPEN_ROWS = new Set([0, 1])
/** Folders at the engine's edge: they may import everything, nothing inside imports them. */
const OUTSIDE = new Set(['node', 'providers', 'testing', 'ephemeral', 'in-memory'])

const rowOf = new Map(LEVELS.flatMap((entries, row) => entries.map((entry) => [entry, row])))

/** @type {import('eslint').Rule.RuleModule} */
export const coreLevels = {
  meta: {
    type: 'problem',
    schema: [
      { type: 'object', properties: { src: { type: 'string' } }, required: ['src'], additionalProperties: false },
    ],
    messages: {
      unknown: '"{{entry}}" has no level yet: add it to the table in tools/eslint/core-levels.mjs',
      upwards: '"{{from}}" may only import lower levels, and "{{to}}" is above it',
      sibling: '"{{from}}" and "{{to}}" are of the same level and may not import each other; compose them above',
      outside: '"{{to}}" is at the edge of the engine; "{{from}}" may not import it, only its port',
      leaves: 'Imports must stay inside of packages/core/src',
    },
  },
  /** Reports imports of core's folders that do not point downwards. */
  create(context) {
    const src = resolve(context.options[0].src)
    const from = entryOf(src, context.filename)
    if (from === undefined || OUTSIDE.has(from)) return {}

    const problem = (to) => {
      if (to === from) return undefined
      if (to === undefined) return 'leaves'
      if (OUTSIDE.has(to)) return 'outside'
      if (!rowOf.has(from) || !rowOf.has(to)) return 'unknown'
      const [above, below] = [rowOf.get(from), rowOf.get(to)]
      if (below > above) return 'upwards'
      return below === above && !OPEN_ROWS.has(above) ? 'sibling' : undefined
    }
    const check = (node) => {
      const specifier = node.source?.value
      if (typeof specifier !== 'string' || !specifier.startsWith('.')) return
      // Also for a file that isn't there: the rule is about where it would be.
      const to = entryOf(
        src,
        resolveRelative(context.filename, specifier) ?? resolve(context.filename, '..', specifier),
      )
      const messageId = problem(to)
      if (messageId === undefined) return
      const entry = rowOf.has(from) ? to : from
      context.report({ node: node.source, messageId, data: { from, to: to ?? specifier, entry: entry ?? '' } })
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    }
  },
}

/** "money" for src/money.ts, "ports" for src/ports/clock.ts, undefined outside of src. */
function entryOf(src, file) {
  const path = relative(src, file)
  if (path.startsWith('..')) return undefined
  return path.split(sep)[0].replace(/(\.d)?\.[jt]sx?$/, '')
}
