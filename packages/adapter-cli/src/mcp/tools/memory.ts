/** `memory`: reads what was learnt about a project. Writing is `remember`, so that a client can allow one without the other. */
import { MEMORY_KINDS, parseTime } from '@cairn/core'
import type { MemoryEntry } from '@cairn/core'
import { z } from 'zod'
import { counted, formatWhole } from '../../terminal/format.ts'
import { isoTime, quoted, timeText } from '../quoted.ts'
import { WORKSPACE, defineTool, required } from '../tool.ts'
import type { Call, ToolAnswer } from '../tool.ts'
import { entryData, entryText } from './memory-text.ts'

const DESCRIPTION = `What was learnt about this project and kept: discoveries, solutions, patterns, workflows, failures, rules. Operations: search (entries with these words, best first), list (all, last confirmed first), get (one, whole), history (every version of one), stats (how much there is). Writing is the tool remember.`

const input = z.strictObject({
  operation: z.enum(['search', 'list', 'get', 'history', 'stats']),
  query: z.string().min(1).max(2000).optional().describe('search: words to look for.'),
  id: z.string().min(4).max(100).optional().describe("get, history: the entry's id or its beginning."),
  kind: z.enum(MEMORY_KINDS).optional().describe('search, list: only this kind.'),
  as_of: z.string().min(1).max(40).optional().describe('search, list, get: as it was at this time (2026-01-31, an ISO instant, 7d).'),
  limit: z.int().min(1).max(50).default(15),
  offset: z.int().min(0).default(0).describe('list: so many are left out at the beginning.'),
  workspace: WORKSPACE,
})
type Args = z.infer<typeof input>

export const memory = defineTool({
  name: 'memory',
  title: 'Read long-term memory',
  description: DESCRIPTION,
  hints: { readOnlyHint: true },
  input,
  isMemory: true,
  run: async (args, call) => {
    const asOf = args.as_of === undefined ? undefined : parseTime(args.as_of, call.timeZone, 'until', call.now)
    switch (args.operation) {
      case 'search':
        return search(args, asOf, call)
      case 'list':
        return list(args, asOf, call)
      case 'get': {
        const entry = await call.engine.memory.get(required(args.id, 'memory', 'get', 'id'), asOf)
        return { text: quoted(entryText(entry, true)), data: { entry: { ...entryData(entry), text: entry.text } } }
      }
      case 'history':
        return history(args, call)
      case 'stats':
        return stats(args, call)
    }
  },
})

const listing = ({ kind }: Args, asOf: number | undefined): { readonly kind?: NonNullable<Args['kind']>; readonly asOf?: number } => ({ ...(kind === undefined ? {} : { kind }), ...(asOf === undefined ? {} : { asOf }) })

const entriesAnswer = (head: string, entries: readonly MemoryEntry[], tail = ''): ToolAnswer => ({
  text: entries.length === 0 ? head : `${head}\n${quoted(entries.map((entry) => entryText(entry)).join('\n'))}${tail}`,
  data: { entries: entries.map(entryData) },
})

const search = async (args: Args, asOf: number | undefined, { engine, project }: Call): Promise<ToolAnswer> => {
  const query = required(args.query, 'memory', 'search', 'query')
  const workspace = await project(args.workspace)
  const found = await engine.memory.search(workspace, query, { ...listing(args, asOf), limit: args.limit })
  if (found.length === 0) return entriesAnswer(`No entry of ${workspace} has these words. What was said but not kept: recall.`, [])
  return entriesAnswer(`${counted(found.length, 'entry')} of ${workspace}, best first.`, found.map(({ entry }) => entry))
}

const list = async (args: Args, asOf: number | undefined, { engine, project }: Call): Promise<ToolAnswer> => {
  const workspace = await project(args.workspace)
  const all = await engine.memory.list(workspace, listing(args, asOf))
  const page = all.slice(args.offset, args.offset + args.limit)
  const left = all.length - args.offset - page.length
  if (page.length === 0) return entriesAnswer(all.length === 0 ? `Nothing is remembered of ${workspace}.` : `There are only ${formatWhole(all.length)}.`, [])
  return entriesAnswer(`${formatWhole(page.length)} of ${counted(all.length, 'entry')} of ${workspace}.`, page, left > 0 ? `\nThere are more: offset ${args.offset + page.length}.` : '')
}

const history = async (args: Args, { engine }: Call): Promise<ToolAnswer> => {
  const versions = (await engine.memory.history(required(args.id, 'memory', 'history', 'id'))).slice(-args.limit)
  const lines = versions.map(({ entry, validFrom, validTo, ended, replacedBy }) => {
    const end = validTo === null ? 'now' : `${timeText(validTo)} (${ended ?? 'ended'}${replacedBy === null ? '' : `, see ${replacedBy}`})`
    return `${timeText(validFrom)} to ${end}\n${entryText(entry)}`
  })
  return {
    text: `${counted(versions.length, 'version')}, the oldest first.\n${quoted(lines.join('\n'))}`,
    data: { versions: versions.map(({ entry, validFrom, validTo, ended, replacedBy }) => ({ entry: entryData(entry), validFrom: isoTime(validFrom), validTo: isoTime(validTo), ended, replacedBy })) },
  }
}

const stats = async (args: Args, { engine, project }: Call): Promise<ToolAnswer> => {
  const { workspace, entries, byKind, averageConfidence, oldestAt, newestAt, prunable, characters } = await engine.memory.stats(await project(args.workspace))
  const kinds = Object.entries(byKind).filter(([, count]) => count > 0)
  const lines = [
    `${workspace}: ${counted(entries, 'entry')}, ${formatWhole(characters)} characters`,
    ...(kinds.length === 0 ? [] : [kinds.map(([kind, count]) => `${kind}: ${count}`).join(', ')]),
    ...(averageConfidence === null ? [] : [`average confidence ${Math.round(averageConfidence * 100)} %`]),
    ...(oldestAt === null ? [] : [`from ${timeText(oldestAt)} to ${timeText(newestAt)}`]),
    `remember with operation prune would end ${prunable} now`,
  ]
  return { text: lines.join('\n'), data: { workspace, entries, byKind, averageConfidence, oldestAt: isoTime(oldestAt), newestAt: isoTime(newestAt), prunable, characters } }
}
