/** `cairn sync`: sends new data to the team's store, to the extent the user chose. */
import { CairnError, withoutPassword } from '@cairn/core'
import { createFileSystem } from '@cairn/core/node'
import { createProjects } from '@cairn/core/projects'
import type { Project } from '@cairn/core/projects'
import { asUnsent, previewSync, runSync, withdrawSessions } from '@cairn/core/sync'
import type { SyncReport, SyncRow } from '@cairn/core/sync'
import type { CommonOptions, Context, Define } from '../command.ts'
import { someText } from '../options/option-values.ts'
import { exactRow, showPreview, showSync } from '../output/sync-text.ts'
import type { RowCounts } from '../output/sync-text.ts'
import { openSync } from '../team/open-sync.ts'
import type { OpenSync } from '../team/open-sync.ts'
import { counted } from '../terminal/format.ts'
import { sayWrapped } from '../terminal/say-wrapped.ts'

/** The options of `sync`. */
interface SyncOptions extends CommonOptions {
  readonly dryRun?: boolean
  readonly withdraw?: string
  readonly all?: boolean
}

const HELP = `
The team's store is set by CAIRN_TEAM_URL=postgresql://… or "url" in team.json
in the data folder; of several databases, all addresses with spaces between.
That file also says what to send, by folder: nothing,
figures (requests, tokens, cost, models, session ids, times; no text or titles;
project and branch names as hashes), or text. The default is figures.
If it is killed, run it again: nothing is sent twice and nothing is lost.
What you delete is withdrawn by the next sync and stays out. docs/team.md

Examples:
  cairn sync --dry-run               what would be sent; sends nothing
  cairn sync --dry-run --json        every row of it
  cairn sync
  cairn sync --withdraw 0ccf1a04     take a session out of the team's store
  cairn sync --withdraw ~/code/app`

/** Declares `cairn sync`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description("Send new data to your team's store, as far as you allow.")
    .option('--dry-run', 'only show what would be sent')
    .option(
      '--withdraw <session|project>',
      "remove it from the team's store and keep it out",
      someText('--withdraw', "a session's id, or a project's folder or name"),
    )
    .option('--all', "send everything again, for a team's store that was lost")
    .addHelpText('after', HELP)
    .action((options: SyncOptions) => runCommand(options, context))
}

const NOTHING: SyncReport = {
  sessions: 0,
  requests: 0,
  entries: 0,
  withdrawn: 0,
  kept: { private: 0, withdrawn: 0, otherCopy: 0, text: 0 },
  commits: 0,
}

/**
 * Sends what is new (`all`: everything again), previews that, or withdraws a session or project, and prints how much.
 * Rejects with `usage` for `withdraw` with `dryRun` or `all`, and for `--workspace` (team.json decides what is sent of
 * each project); with `not-found` without a match, or a team's store (a preview needs none); with `ambiguous` for
 * several.
 */
const runCommand = async (options: SyncOptions, context: Context): Promise<void> => {
  if (options.withdraw !== undefined && (options.dryRun === true || options.all === true))
    throw new CairnError('usage', '--withdraw removes, and --dry-run and --all are about sending: give one of them.')
  if (options.workspace !== undefined)
    throw new CairnError('usage', 'sync is about all projects; team.json says what leaves of each.')
  const sync = await openSync(options, context, options.dryRun === true)
  try {
    if (options.dryRun === true) await preview(sync, options, context)
    else if (options.withdraw === undefined) await send(sync, options, context)
    else await withdraw(sync, options.withdraw, options, context)
  } finally {
    await sync?.close()
  }
}

/**
 * Sends what is new, with `--all` everything, and prints how much that was: `{team, …report, ms}` as JSON. Without
 * `sync`, where the user has no store yet, all counts are 0.
 */
const send = async (sync: OpenSync | undefined, options: SyncOptions, context: Context): Promise<void> => {
  const start = performance.now()
  await sync?.noteChanges(options.all === true)
  const report = sync === undefined ? NOTHING : await sendAll(sync, context)
  await sync?.noteMachine()
  const ms = Math.round(performance.now() - start)
  const team = sync?.team.url === undefined ? null : withoutPassword(sync.team.url)
  if (options.json === true) return context.json({ team, ...report, ms })
  await showSync(report, ms, context.terminal)
}

/**
 * Sends what is new, and everything once more where a replica has taken the place of the team's server, which is told
 * on standard error. Returns what was sent: in the second pass, if there was one, but with all that was withdrawn.
 */
const sendAll = async (sync: OpenSync, context: Context): Promise<SyncReport> => {
  const report = await runSync(sync.deps)
  const isOther = await sync.timelines.haveChanged()
  if (isOther)
    context.terminal.note(
      "A replica has taken the place of the team's server since the last sync: everything is sent once more.",
    )
  const all = isOther ? await runSync(sync.deps) : report
  await sync.timelines.note()
  return isOther ? { ...all, withdrawn: all.withdrawn + report.withdrawn } : report
}

/**
 * Prints how many rows of each kind would be sent: `{counts, rows}` as JSON, with money as text in nano-USD. Sends
 * none.
 */
const preview = async (sync: OpenSync | undefined, options: SyncOptions, context: Context): Promise<void> => {
  const counts: RowCounts = { machine: 0, session: 0, request: 0, entry: 0, withdrawal: 0, project: 0 }
  const rows: unknown[] = []
  for await (const row of sync === undefined ? [] : await outgoingRows(sync, options)) {
    counts[row.kind] += 1
    if (options.json === true) rows.push(exactRow(row))
  }
  if (options.json === true) return context.json({ counts, rows })
  await showPreview(counts, sync?.team, context.terminal)
}

/** Returns the rows that would be sent; all of them if the team's store or the choices have changed. */
const outgoingRows = async (
  { deps, changes }: OpenSync,
  { all = false }: SyncOptions,
): Promise<AsyncIterable<SyncRow>> => {
  const change = await changes(all)
  return previewSync(change === undefined ? deps : { ...deps, source: asUnsent(deps.source, change.forget) })
}

const PAGE = 500

/**
 * Returns the ids of the sessions that are meant: one by its id or the beginning of it, which goes before a project;
 * otherwise those of a project by its key, name or folder. Rejects with `not-found` if there are none, and with
 * `ambiguous` if several sessions or projects match: what is withdrawn does not come back.
 */
const sessionsOf = async ({ store }: OpenSync, given: string, context: Context): Promise<readonly string[]> => {
  const [one, other] = await store.sessions.resolve(given, 2)
  if (one !== undefined && other === undefined) return [one.id]
  if (one !== undefined)
    throw new CairnError('ambiguous', `Several sessions begin with '${given}'; give more of the id.`)
  const projects = createProjects({ storage: store.projects, fileSystem: createFileSystem() })
  const folder = await context.workspace({ workspace: given })
  const project = (await projects.find(given)) ?? (folder === undefined ? undefined : await projects.find(folder))
  const ids = project === undefined ? [] : await sessionsIn(store, project)
  if (ids.length === 0) throw new CairnError('not-found', `No session and no project '${given}' is in your store.`)
  return ids
}

/**
 * Returns the ids of a project's sessions; the store's list also has those of another project whose name equals this
 * one's key. In the store's order, all pages.
 */
const sessionsIn = async (store: OpenSync['store'], { key, folders }: Project): Promise<readonly string[]> => {
  const own = new Set(folders.map(({ path }) => path))
  const ids: string[] = []
  for (let seen = 0, total = 1; seen < total;) {
    const page = await store.sessions.list({ project: key, limit: PAGE, offset: seen })
    if (page.sessions.length === 0) break
    ids.push(...page.sessions.flatMap(({ id, workspace }) => (own.has(workspace ?? '') ? [id] : [])))
    seen += page.sessions.length
    total = page.total
  }
  return ids
}

/**
 * Removes sessions from the team's store for good, without asking, and prints how many; they stay in the user's own.
 * `given`: a session's id or its beginning, otherwise a project. Rejects with `not-found` if nothing matches or `sync`
 * is undefined (the user has no store yet), with `ambiguous` if several match.
 */
const withdraw = async (
  sync: OpenSync | undefined,
  given: string,
  options: SyncOptions,
  context: Context,
): Promise<void> => {
  if (sync === undefined) throw new CairnError('not-found', `No session and no project '${given}' is in your store.`)
  const ids = await sessionsOf(sync, given, context)
  const removed = await withdrawSessions(sync.deps, ids)
  if (options.json === true) return context.json({ sessions: ids.length, withdrawn: removed })
  await sayWrapped(
    `Total: ${counted(removed, 'session')} removed from the team's store; ${counted(ids.length, 'session')} will not be sent again.`,
    context.terminal,
  )
}
