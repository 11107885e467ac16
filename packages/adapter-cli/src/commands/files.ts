/** `cairn files`: the files that agents read and edited, over all sessions, and where each was edited last. */
import { FILE_LIST_SORTS } from '@cairn/core'
import type { Engine, FileList, FileListSort, FileUse } from '@cairn/core'
import type { CommonOptions, Context, Define } from '../command.ts'
import { definedValues } from '../options/defined-values.ts'
import { checkAgent, sayUnmatched } from '../options/filters.ts'
import { oneOf, someText, timeRange, wholeNumber } from '../options/option-values.ts'
import { projectFilterOf, severalProjects } from '../options/project-option.ts'
import { shownIds } from '../output/session-ids.ts'
import { limitHeap } from '../runtime/heap-limit.ts'
import { counted, formatTime, formatWhole } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'

interface FilesOptions extends CommonOptions {
  readonly limit: number
  readonly offset: number
  readonly sort: FileListSort
  readonly reverse?: boolean
  readonly agent?: string
  readonly branch?: string
  readonly project?: string
  readonly since?: string
  readonly until?: string
}

const HELP = `
Words must all be in the path. Edits and reads are calls of agents' tools, those
that failed as well; a shell command that writes a file is no edit. The same
path in two folders is two files.
The last edit is a session and the number of its entry, for "session show".

Examples:
  cairn files
  cairn files --sort last --limit 5
  cairn files src/auth --workspace . --since 30d
  cairn files --project shop --sort reads --json
  cairn session show 0ccf1a04 --message=#20`

/** Declares `cairn files`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Files that agents read and edited, over all sessions, and where each was edited last.')
    .argument('[words...]', 'only paths that hold these')
    .option('--limit <n>', 'at most n', wholeNumber('--limit', 1), 20)
    .option('--offset <n>', 'skip the first n', wholeNumber('--offset'), 0)
    .option('--sort <by>', FILE_LIST_SORTS.join(', '), oneOf('--sort', FILE_LIST_SORTS), 'edits')
    .option('--reverse', 'the other way round')
    .option('--agent <name>', 'only this agent')
    .option(
      '--project <name>',
      'only this project, with all its folders',
      someText('--project', "a project's name or folder"),
    )
    .option('--branch <name>', 'only sessions that were on this branch', someText('--branch', "a branch's name"))
    .option('--since <time>', 'read or edited since')
    .option('--until <time>', 'read or edited before')
    .addHelpText('after', HELP)
    .action((words: readonly string[], options: FilesOptions) => runFiles(words.join(' '), options, context))
}

/**
 * Lists the files that agents read or edited whose paths hold all words of `text` (blank: all): `{files, total}` as
 * JSON, where `total` counts all that match, and `files` is the page asked for. None is no failure; which filter
 * matches nothing is told. Rejects with `usage` for an unknown agent or a text that is no time.
 */
const runFiles = async (text: string, options: FilesOptions, context: Context): Promise<void> => {
  const { timezone } = await context.settings(options)
  const range = timeRange(options, timezone.value, context.now())
  const workspace = await context.workspace(options)
  await limitHeap()
  const engine = await context.readEngine(options)
  await checkAgent(options.agent, engine)
  const { agent, branch, sort, limit, offset } = options
  const { project } = await projectFilterOf(workspace, options.project, engine, context)
  const isDescending = (sort !== 'path') !== (options.reverse === true)
  const list = await engine.store.search.files({
    sort,
    order: isDescending ? 'descending' : 'ascending',
    limit,
    offset,
    ...range,
    ...definedValues({
      workspace,
      agent,
      branch,
      text,
      workspaces: project === undefined ? undefined : [...project.workspaces],
    }),
  })
  if (list.total === 0)
    await sayUnmatched(definedValues({ workspace, project: options.project, branch }), engine, context, 'No sessions')
  const several = workspace === undefined ? undefined : await severalProjects(workspace, engine)
  if (several !== undefined) context.terminal.note(`${several} Their files are listed together.`)
  if (options.json === true) return context.json(list)
  await print(list, offset, engine, context)
}

/**
 * Prints the page as a table, then how many files match, and how to see the next ones (`offset`: those before this
 * page). If none matches, prints only why.
 */
const print = async ({ files, total }: FileList, offset: number, engine: Engine, context: Context): Promise<void> => {
  const { terminal } = context
  if (total === 0) return terminal.line(await nothingText(engine))
  const ids = await sessionNames(
    files.flatMap(({ lastEdit }) => lastEdit?.sessionId ?? []),
    engine,
  )
  const { head, rows } = tableLines({
    columns: [
      { title: 'file', shorten: 'path', minimum: 16 },
      { title: 'folder', shorten: 'path', minimum: 10, dropRank: 1 },
      { title: 'edits', align: 'right' },
      { title: 'reads', align: 'right', dropRank: 3 },
      { title: 'sessions', align: 'right', dropRank: 2 },
      { title: 'edited last', dropRank: 4 },
      { title: 'in' },
    ],
    rows: files.map(({ path, workspace, edits, reads, sessions, lastEdit }) => [
      neutraliseLine(path),
      workspace === null ? '-' : neutraliseLine(workspace),
      formatWhole(edits),
      formatWhole(reads),
      formatWhole(sessions),
      formatTime(lastEdit?.at ?? null),
      useText(lastEdit, ids),
    ]),
    width: terminal.width,
  })
  await terminal.line(terminal.style('bold', head))
  for (const row of rows) await terminal.line(row)
  const shown = offset + files.length
  await terminal.line(
    shown < total && files.length > 0
      ? `${counted(total, 'file')} in all; the next ones: --offset ${shown}`
      : `Total   ${counted(total, 'file')}`,
  )
}

/** Returns why the list is empty, as a sentence: nothing is in the store, or nothing matches. */
const nothingText = async ({ store }: Engine): Promise<string> => {
  const { total } = await store.sessions.list({ limit: 1 })
  return total === 0
    ? 'No files; take in what your agents did: cairn import'
    : 'No tool of an agent read or edited such a file.'
}

/** `0ccf1a04 #20`: what `session show` takes. */
const useText = (use: FileUse | null, ids: ReadonlyMap<string, string>): string =>
  use === null ? '-' : `${ids.get(use.sessionId) ?? use.sessionId} #${use.seq}`

/** Short ids of sessions, by their full ids; without those that are not in the store. */
const sessionNames = async (ids: readonly string[], { store }: Engine): Promise<ReadonlyMap<string, string>> => {
  const sessions = await Promise.all([...new Set(ids)].map((id) => store.sessions.get(id)))
  return shownIds(
    sessions.flatMap((session) => session ?? []),
    store.sessions,
  )
}
