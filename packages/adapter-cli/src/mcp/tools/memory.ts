/** `memory`: reads what was learnt about a project. Writing is `remember`, so that a client can allow one without the other. */
import { MEMORY_KINDS, parseTime } from '@cairn/core'
import { z } from 'zod'
import { counted, formatWhole } from '../../terminal/format.ts'
import { fitting, moreOf, named, partOf, timeText } from '../quoted.ts'
import { WORKSPACE, defineTool, required } from '../tool.ts'
import type { Call, ToolAnswer } from '../tool.ts'
import { entryText } from './memory-text.ts'

const DESCRIPTION = `What was learnt about this project and kept: discoveries, solutions, patterns, workflows, failures, rules. Operations: search (entries with these words, best first), list (all, last confirmed first), get (one, whole), history (every version of one), stats (how much there is). Writing is the tool remember.`

const input = z.strictObject({
  operation: z.enum(['search', 'list', 'get', 'history', 'stats']),
  query: z.string().min(1).max(2000).optional().describe('search: words to look for.'),
  id: z.string().min(4).max(100).optional().describe("get, history: the entry's id, its beginning or its end."),
  kind: z.enum(MEMORY_KINDS).optional().describe('search, list: only this kind.'),
  as_of: z
    .string()
    .min(1)
    .max(40)
    .optional()
    .describe('search, list, get: as it was at this time (2026-01-31, an ISO instant, 7d).'),
  limit: z.int().min(1).max(50).default(15),
  offset: z
    .int()
    .min(0)
    .default(0)
    .describe('list, history: so many are left out at the beginning. get: where to begin, in characters.'),
  workspace: WORKSPACE,
})
type Args = z.infer<typeof input>

/** Characters of an entry in one answer. */
const ENTRY_SHOWN = 20_000

/** The tool `memory`: reads long-term memory. */
export const memory = defineTool({
  name: 'memory',
  title: 'Read long-term memory',
  description: DESCRIPTION,
  hints: { readOnlyHint: true },
  input,
  isMemory: true,
  /** The tool `memory`, which only reads; `as_of` asks for an earlier time. */
  run: async (args, call) => {
    const asOf = args.as_of === undefined ? undefined : parseTime(args.as_of, call.timeZone, 'until', call.now)
    switch (args.operation) {
      case 'search':
        return search(args, asOf, call)
      case 'list':
        return list(args, asOf, call)
      case 'get': {
        const entry = await call.engine.memory.get(required(args.id, 'memory', 'get', 'id'), asOf)
        const part = partOf(entryText(entry, true), args.offset, ENTRY_SHOWN)
        return { body: part.text, tail: moreOf(part) }
      }
      case 'history':
        return history(args, call)
      case 'stats':
        return stats(args, call)
    }
  },
})

/** Returns the conditions of a list of entries. Conditions that are not given are left out. */
const listing = (
  { kind }: Args,
  asOf: number | undefined,
): { readonly kind?: NonNullable<Args['kind']>; readonly asOf?: number } => ({
  ...(kind === undefined ? {} : { kind }),
  ...(asOf === undefined ? {} : { asOf }),
})

/**
 * Returns the answer with entries that match a query, best first, as many as fit. Rejects with `invalid-input` without
 * a query.
 */
const search = async (args: Args, asOf: number | undefined, { engine, project }: Call): Promise<ToolAnswer> => {
  const query = required(args.query, 'memory', 'search', 'query')
  const workspace = await project(args.workspace)
  const found = await engine.memory.search(workspace, query, { ...listing(args, asOf), limit: args.limit })
  if (found.length === 0)
    return { head: `No entry of ${named(workspace)} has these words. What was said but not kept: recall.` }
  const rows = found.map(({ entry }) => entryText(entry))
  const shown = fitting(rows)
  return {
    head: `${counted(found.length, 'entry')} of ${named(workspace)}, best first.`,
    body: rows.slice(0, shown).join('\n'),
    tail:
      shown < rows.length ? `The last ${rows.length - shown} had no room: ask with more words, or for one kind.` : '',
  }
}

/**
 * Returns the answer with a project's entries, as many as fit from an offset on, and where the next ones begin. That
 * there are none is an answer too.
 */
const list = async (args: Args, asOf: number | undefined, { engine, project }: Call): Promise<ToolAnswer> => {
  const workspace = await project(args.workspace)
  const all = await engine.memory.list(workspace, listing(args, asOf))
  const rows = all.slice(args.offset, args.offset + args.limit).map((entry) => entryText(entry))
  if (rows.length === 0)
    return {
      head:
        all.length === 0
          ? `Nothing is remembered of ${named(workspace)}.`
          : `There are only ${formatWhole(all.length)}.`,
    }
  const shown = fitting(rows)
  const next = args.offset + shown
  return {
    head: `${formatWhole(shown)} of ${counted(all.length, 'entry')} of ${named(workspace)}.`,
    body: rows.slice(0, shown).join('\n'),
    tail: next < all.length ? `There are more: offset ${next}.` : '',
  }
}

/**
 * Returns the answer with the versions of an entry, oldest first, as many as fit from an offset on. Rejects with
 * `not-found` or `ambiguous` for its id. Says so if there are none from there on.
 */
const history = async (args: Args, { engine }: Call): Promise<ToolAnswer> => {
  const versions = await engine.memory.history(required(args.id, 'memory', 'history', 'id'))
  if (args.offset > 0 && args.offset >= versions.length)
    return { head: `There are only ${counted(versions.length, 'version')}.` }
  const rows = versions
    .slice(args.offset, args.offset + args.limit)
    .map(({ entry, validFrom, validTo, ended, replacedBy }) => {
      const end =
        validTo === null
          ? 'now'
          : `${timeText(validTo)} (${ended ?? 'ended'}${replacedBy === null ? '' : `, see ${replacedBy}`})`
      return `${timeText(validFrom)} to ${end}\n${entryText(entry)}`
    })
  const shown = fitting(rows)
  const next = args.offset + shown
  return {
    head: `${counted(versions.length, 'version')}, the oldest first.`,
    body: rows.slice(0, shown).join('\n'),
    tail: next < versions.length ? `There are newer ones: offset ${next}.` : '',
  }
}

/**
 * The answer with the figures of a project's memory: entries by kind, average confidence, times, and how many pruning
 * would end.
 */
const stats = async (args: Args, { engine, project }: Call): Promise<ToolAnswer> => {
  const { workspace, entries, byKind, averageConfidence, oldestAt, newestAt, prunable, characters } =
    await engine.memory.stats(await project(args.workspace))
  const kinds = Object.entries(byKind).filter(([, count]) => count > 0)
  const lines = [
    `${named(workspace)}: ${counted(entries, 'entry')}, ${counted(characters, 'character')}`,
    ...(kinds.length === 0 ? [] : [kinds.map(([kind, count]) => `${kind}: ${count}`).join(', ')]),
    ...(averageConfidence === null ? [] : [`average confidence ${Math.round(averageConfidence * 100)} %`]),
    ...(oldestAt === null ? [] : [`from ${timeText(oldestAt)} to ${timeText(newestAt)}`]),
    `remember with operation prune would end ${prunable} now`,
  ]
  return { head: lines.join('\n') }
}
