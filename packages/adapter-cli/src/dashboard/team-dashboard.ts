/** `cairn dashboard --team`: serves a team's store behind a proxy that knows who asks, until it is stopped. */
import { join, resolve } from 'node:path'
import { CairnError } from '@cairn/core'
import { dataFolder, workspaceFolder } from '@cairn/core/node'
import type { CommonOptions, Context } from '../command.ts'
import { storeName } from '../output/store-name.ts'
import { assertOwnAddress, isLoopback } from './addresses.ts'
import { prepareDashboard } from './build.ts'
import { findDashboard } from './location.ts'
import { startDashboard } from './server.ts'
import { settingsAnswer } from './settings-answer.ts'

/** The options of `cairn dashboard --team`. */
export interface TeamDashboardOptions extends CommonOptions {
  /** The file of its settings; true: the one in the data folder. */
  readonly team: string | true
  readonly port?: number
  readonly host: string
  readonly allowedHost?: readonly string[]
  readonly watch?: boolean
}

const FILE = 'team-dashboard.json'
const ADDRESS = /^(?:postgres(?:ql)?:\/\/.|file:.)/

/**
 * The address of the store to show, which must have been named. Never the user's own, which would then be open to the
 * whole team.
 * @throws CairnError `usage` if none is named
 */
const teamStore = ({ store }: CommonOptions, variables: Readonly<Record<string, string | undefined>>): string => {
  const address = store ?? variables['CAIRN_TEAM_REPLICA_URL'] ?? ''
  if (ADDRESS.test(address)) return address
  throw new CairnError(
    'usage',
    "The team's dashboard needs the address of the team's store: postgresql://… in CAIRN_TEAM_REPLICA_URL, or --store.",
  )
}

/**
 * Does nothing if all options are allowed.
 * @throws CairnError `usage` for options that a team's dashboard does not have
 */
const assertOptions = ({ allowedHost = [], watch }: TeamDashboardOptions): void => {
  if (allowedHost.length > 0)
    throw new CairnError(
      'usage',
      `With --team, the names that it answers to are "hosts" in ${FILE}, not --allowed-host.`,
    )
  if (watch === true)
    throw new CairnError(
      'usage',
      "--watch writes to the store, and --team only reads it; machines send what is theirs with 'cairn sync'.",
    )
}

/** How long the store may take to answer the first time, ms. */
const READY_LIMIT_MS = 10_000

/** Whether the server can read the store, as it says itself; false if it does not answer within `READY_LIMIT_MS`. */
const isReady = async (url: string): Promise<boolean> => {
  try {
    const { status } = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(READY_LIMIT_MS) })
    return status === 200
  } catch {
    return false
  }
}

/**
 * Starts the server, tells where it listens, and waits until it ends. Opens no browser, and takes nothing in. Rejects
 * with `usage` for wrong options or an address of another machine, and with `read-failed` if the server ends by itself.
 */
export const runTeamDashboard = async (options: TeamDashboardOptions, context: Context): Promise<void> => {
  const { terminal, surroundings } = context
  assertOptions(options)
  const store = teamStore(options, surroundings.variables)
  if (!isLoopback(options.host)) await assertOwnAddress(options.host)
  const settings = await context.settings({ ...options, store })
  const file = options.team === true ? join(dataFolder(surroundings), FILE) : resolve(surroundings.folder, options.team)
  const dashboard = findDashboard()
  await prepareDashboard(dashboard, terminal)
  const server = await startDashboard(dashboard, {
    store,
    team: file,
    host: options.host,
    allowedHosts: [],
    isWritable: false,
    longTermMemory: options.ltm !== false,
    settings: () => settingsAnswer(options, context, workspaceFolder(surroundings.folder)),
    port: options.port ?? settings['dashboard.port'].value,
    variables: surroundings.variables,
  })
  const ready = await isReady(server.url)
  if (!ready)
    terminal.note(
      `The store ${storeName(store)} can't be read: the pages show nothing until it can. Check its address, that its server runs, and that its user may read it.`,
    )
  if (options.json === true)
    await context.json({ url: server.url, port: server.port, pid: server.pid, team: file, ready })
  else
    await terminal.line(
      `The team's dashboard of ${storeName(store)} listens at ${server.url} for the proxy.\nCtrl-C stops it.`,
    )
  const code = await server.ended
  if (code !== 0) throw new CairnError('read-failed', `The dashboard ended by itself (exit code ${code}).`)
}
