/** `cairn dashboard`: serves the dashboard on this machine until it is stopped. */
import { CairnError } from '@cairn/core'
import { workspaceFolder } from '@cairn/core/node'
import type { CommonOptions, Context, Define } from '../command.ts'
import { assertOwnAddress, isLoopback, openableUrls } from '../dashboard/addresses.ts'
import { openBrowser } from '../dashboard/browser.ts'
import { prepareDashboard } from '../dashboard/build.ts'
import { followTranscripts } from '../dashboard/follow-transcripts.ts'
import { findDashboard } from '../dashboard/location.ts'
import { startDashboard } from '../dashboard/server.ts'
import { runTeamDashboard } from '../dashboard/team-dashboard.ts'
import { settingsAnswer } from '../dashboard/settings-answer.ts'
import { watchDecision } from '../dashboard/watch-decision.ts'
import { keepBackingUp } from '../runtime/automatic-backup.ts'
import { excludedAgents } from '../options/excluded-agents.ts'
import { sayUnmatched } from '../options/filters.ts'
import { LOOPBACK, allowedHosts, hostAddress, plainHttpWarning, portNumber } from '../options/listening-options.ts'
import { storeName } from '../output/store-name.ts'

interface DashboardOptions extends CommonOptions {
  readonly port?: number
  readonly host: string
  readonly allowedHost?: readonly string[]
  readonly open: boolean
  readonly watch?: boolean
  readonly readOnly?: boolean
  readonly team?: string | true
}

const HELP = `
The address contains a random token; without it nothing is shown. The server
listens on this machine only, unless --host says otherwise. Ctrl-C stops it.
With --host 0.0.0.0 it answers to any address and to this machine's name; other
names, such as those of a proxy or container, need --allowed-host.
While it runs, new transcripts are imported unless another program does so
already (docs/watch.md); a store named with --store is only shown.
The memory page can correct, confirm and forget entries. With --read-only
nothing can be changed, nor with --allowed-host or another --host, because
others may then have the address.
With --team it shows a team's store, read-only, to the people named in its file,
behind a proxy that signs them in: docs/team-dashboard.md.

Examples:
  cairn dashboard
  cairn dashboard --port 4100 --no-open
  cairn dashboard --host 0.0.0.0 --allowed-host agents.example
  cairn dashboard --workspace .
  cairn dashboard --read-only
  cairn dashboard --store postgresql://cairn@db.example/cairn
  cairn dashboard --team dashboard.json --store postgresql://db.example/team`

/** Declares `cairn dashboard`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Show usage and sessions in the browser.')
    .option('--port <port>', 'listen on this port (default: a free one)', portNumber)
    .option('--host <address>', 'listen on this address', hostAddress, LOOPBACK)
    .option('--allowed-host <name[:port]>', 'also answer to this name (repeatable)', allowedHosts)
    .option('--no-open', 'do not open the browser')
    .option('--watch', 'import new transcripts, even into a store named with --store')
    .option('--no-watch', 'only show what is in the store')
    .option('--read-only', 'allow no changes')
    .option('--team [file]', 'serve a team with this file (default: team-dashboard.json in the data folder)')
    .addHelpText('after', HELP)
    .action((options: DashboardOptions) => {
      const { team } = options
      return team === undefined ? runDashboard(options, context) : runTeamDashboard({ ...options, team }, context)
    })
}

/** Whether pages may change memory: only if nobody but this machine's user can open them. */
const mayWrite = ({ host, allowedHost = [], readOnly = false }: DashboardOptions): boolean =>
  !readOnly && isLoopback(host) && allowedHost.length === 0

/**
 * Opens the store once, which also migrates it, and returns the project to show first; undefined for all projects.
 * Reports on standard error if the store is empty (unless `isFilled`: transcripts will be imported), or lacks that
 * project.
 */
const look = async (
  options: DashboardOptions,
  store: string,
  isFilled: boolean,
  context: Context,
): Promise<string | undefined> => {
  const workspace = await context.workspace(options)
  // A store that can't be opened is named here, not in the browser; migrations run here, too.
  const engine = await context.readEngine(options)
  try {
    const { total } = await engine.store.sessions.list({ limit: 1 })
    if (total === 0 && !isFilled)
      context.terminal.note(`The store ${storeName(store)} is empty; take in what your agents did: cairn import`)
    else if (total > 0 && workspace !== undefined) await sayUnmatched({ workspace }, engine, context)
  } finally {
    await engine.close()
  }
  return workspace
}

/**
 * Prepares (builds, where needed) and starts the server, opens the browser if standard output is a terminal, unless
 * `--no-open` or the settings say not to, and waits until the server ends; meanwhile transcripts are imported where
 * `watchDecision` says so, and backups made. `{url, urls, port, pid}` as JSON at the start. Rejects with `read-failed`
 * if the server fails by itself, with `usage` for a host that is not this machine's.
 */
const runDashboard = async (options: DashboardOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const settings = await context.settings(options)
  const isPublic = !isLoopback(options.host)
  if (isPublic) await assertOwnAddress(options.host)
  const decision = watchDecision(settings, options.watch, context.surroundings.variables)
  excludedAgents(settings['watch.exclude'].value)
  const workspace = await look(options, settings.store.value, decision.follows, context)
  const dashboard = findDashboard()
  await prepareDashboard(dashboard, terminal)
  const server = await startDashboard(dashboard, {
    store: settings.store.value,
    host: options.host,
    allowedHosts: options.allowedHost ?? [],
    isWritable: mayWrite(options),
    longTermMemory: options.ltm !== false,
    settings: () => settingsAnswer(options, context, workspace ?? workspaceFolder(context.surroundings.folder)),
    port: options.port ?? settings['dashboard.port'].value,
    variables: context.surroundings.variables,
    ...(workspace === undefined ? {} : { project: workspace }),
  })
  const urls = openableUrls(server.url, options.host)
  if (isPublic) terminal.note(plainHttpWarning(options.host, 'read the store'))
  if (options.json === true) await context.json({ url: server.url, urls, port: server.port, pid: server.pid })
  else
    await terminal.line(
      `${urls.map((url, index) => `${index === 0 ? 'Dashboard:' : '       or:'} ${url}`).join('\n')}\nCtrl-C stops it.`,
    )
  if (options.open && settings['dashboard.open'].value && terminal.isOutputTerminal) openBrowser(server.url)
  keepBackingUp(settings, context.surroundings.variables)
  const followed = await followTranscripts(decision, options, context, server.tell)
  const code = await server.ended
  await followed.end()
  if (code !== 0) throw new CairnError('read-failed', `The dashboard ended by itself (exit code ${code}).`)
}
