/** Puts a sync together: the user's store, the team's, and what may leave. */
import { existsSync } from 'node:fs'
import { CairnError, messageOf, storeAddresses, withoutPassword } from '@cairn/core'
import { createFileSystem, createHasher, userEmail } from '@cairn/core/node'
import { createProjects } from '@cairn/core/projects'
import { createOutgoing } from '@cairn/core/sync'
import type { SyncDeps, SyncMachine, SyncTarget } from '@cairn/core/sync'
import type { DatabaseStore } from '@cairn/storage-prisma'
import type { CommonOptions, Context } from '../command.ts'
import { usableStore } from '../config/settings.ts'
import type { Settings } from '../config/settings.ts'
import { machineIdentity } from './machine-identity.ts'
import type { MachineIdentity } from './machine-identity.ts'
import { readTeam } from './team-file.ts'
import { createTimelines } from './timelines.ts'
import type { Timelines } from './timelines.ts'
import type { Team } from './team-file.ts'

/** How long a team's server may take to answer. */
const CONNECT_TIMEOUT_MS = 5_000
const GLOBAL = { tier: 'global' } as const
/** In the user's store: hashes of where data was sent to, and of the choices. */
const SENT_TO = 'sync.sentTo'
const SENT_BY = 'sync.sentBy'
/** In the user's store: the ids and names that the team's store was given. */
const SENT_AS = 'sync.sentAs'

/** A sync that is ready to run. */
export interface OpenSync {
  readonly team: Team
  readonly store: DatabaseStore
  readonly deps: SyncDeps
  /**
   * Whether everything is to be sent again, as the team's store or the choices are others than last time, or with
   * `all`; `forget`: to another team's store. Undefined: only what is new.
   */
  readonly changes: (all: boolean) => Promise<{ readonly forget: boolean } | undefined>
  /** Notes who the team's store was told of; to be called after a sync. */
  readonly noteMachine: () => Promise<void>
  /** Notes these changes, once the team's store was reached; to be called before anything is sent. */
  readonly noteChanges: (all: boolean) => Promise<void>
  /** To be asked, and noted, after a sync. */
  readonly timelines: Timelines
  readonly close: () => Promise<void>
}

/**
 * Returns the address of the team's store.
 * @throws CairnError `not-found` if none is set, `usage` if it is the user's own
 */
const assertTarget = ({ url, file }: Team, own: string): string => {
  if (url === undefined)
    throw new CairnError(
      'not-found',
      `No team's store is named: set CAIRN_TEAM_URL=postgresql://…, or "url" in ${file}. cairn sync --dry-run shows what would leave.`,
    )
  if (storeAddresses(url).includes(own))
    throw new CairnError('usage', "The team's store is this very store: there is nothing to send.")
  return url
}

/**
 * The address of the user's store; undefined if it does not exist yet. Rejects with `usage` for an incognito store, and
 * for one named with `--store` that does not exist.
 */
const ownStore = async (
  options: CommonOptions,
  { settings }: Pick<Context, 'settings'>,
): Promise<string | undefined> => {
  if (options.incognito === true)
    throw new CairnError('usage', 'With --incognito the store is not read, so nothing is sent; leave the flag out.')
  const inForce = await settings(options)
  const address = usableStore(inForce)
  if (!address.startsWith('file:') || existsSync(address.slice('file:'.length))) return address
  if (inForce.store.origin.from === 'flag')
    throw new CairnError('usage', `There is no store at ${address.slice('file:'.length)}; cairn import makes one.`)
  return undefined
}

/**
 * Opens the user's store for a sync, and looks up what the projects are that were not looked at yet; the team's is
 * opened when it is first needed. Undefined if the user has no store yet. `isPreview`: no team's store need be set.
 * `close` it at the end. Rejects as the settings and stores do, and as {@link assertTarget}.
 */
export const openSync = async (
  options: CommonOptions,
  context: Pick<Context, 'settings' | 'surroundings' | 'now'>,
  isPreview: boolean,
): Promise<OpenSync | undefined> => {
  const team = readTeam(context.surroundings)
  const own = await ownStore(options, context)
  const url = isPreview ? undefined : assertTarget(team, own ?? '')
  if (own === undefined) return undefined
  const identity = machineIdentity(context.surroundings)
  const machine = await machineOf(team, identity, await context.settings(options))
  const { openStore } = await import('@cairn/storage-prisma')
  const store = await openStore(own)
  // What the team's store is told of projects is what is there now.
  await createProjects({ storage: store.projects, fileSystem: createFileSystem() }).identify()
  let opened: DatabaseStore | undefined
  const target = async (): Promise<SyncTarget> => {
    opened ??= await openTeamStore(url, openStore)
    return opened.sync.target
  }
  const hasher = createHasher()
  const salt = team.salt ?? identity.salt
  const marks = new Map([
    [SENT_TO, hasher.sha256(`${salt}\0${databasesOf(team.url ?? '')}`)],
    [SENT_BY, hasher.sha256(JSON.stringify([salt, team.choices]))],
  ])
  const sentAs = hasher.sha256(JSON.stringify([salt, machine]))
  const wasSent = (await store.state.get(GLOBAL, SENT_TO)) !== undefined
  /** As {@link OpenSync} says; only reads. */
  const changes = async (all: boolean): Promise<{ readonly forget: boolean } | undefined> => {
    const known = await store.state.get(GLOBAL, SENT_TO)
    const isOther = known !== undefined && known !== marks.get(SENT_TO)
    const isSame = known === undefined || (await store.state.get(GLOBAL, SENT_BY)) === marks.get(SENT_BY)
    // The first time everything is new anyway.
    return all || isOther || !isSame ? { forget: isOther } : undefined
  }
  return {
    team,
    store,
    deps: {
      source: store.sync.source,
      target,
      outgoing: createOutgoing({ choices: team.choices, salt, hasher }),
      machine,
      isMachineChanged: wasSent && (await store.state.get(GLOBAL, SENT_AS)) !== sentAs,
      now: context.now,
    },
    timelines: createTimelines(store, () => opened),
    noteMachine: () => store.state.set(GLOBAL, new Map([[SENT_AS, sentAs]])),
    changes,
    noteChanges: async (all) => {
      const change = await changes(all)
      if (change === undefined && (await store.state.get(GLOBAL, SENT_TO)) !== undefined) return
      // A mistyped address must not make anything forgotten.
      await target()
      if (change !== undefined) await store.sync.source.sendAgain(change)
      await store.state.set(GLOBAL, marks)
    },
    close: async () => {
      await opened?.close()
      await store.close()
    },
  }
}

/** The addresses without passwords, in one order. */
const databasesOf = (url: string): string => storeAddresses(url).map(withoutPassword).sort().join(' ')

/**
 * What the team's store is told about this machine and its user: ids, and the names that were set, those of the team's
 * file before the settings; git's e-mail address as the person's name only if `team.gitEmail` is on and none was set.
 */
const machineOf = async (team: Team, identity: MachineIdentity, settings: Settings): Promise<SyncMachine> => {
  const name = team.machine ?? textOf(settings['team.machine'].value)
  const own = team.person ?? textOf(settings['team.person'].value)
  const person = own ?? (settings['team.gitEmail'].value ? await userEmail() : undefined)
  return {
    id: identity.id,
    personId: identity.person,
    ...(name === undefined ? {} : { name }),
    ...(person === undefined ? {} : { person }),
  }
}

/** The text; undefined if it is empty. */
const textOf = (text: string): string | undefined => (text === '' ? undefined : text)

/**
 * Opens the team's store, waiting at most 5 seconds for it. Rejects with `storage-unavailable` and a sentence for the
 * user if it can't be reached.
 */
const openTeamStore = async (
  url: string | undefined,
  openStore: (address: string, options: { readonly connectTimeoutMs: number }) => Promise<DatabaseStore>,
): Promise<DatabaseStore> => {
  if (url === undefined) throw new Error('a preview sends nothing')
  try {
    return await openStore(url, { connectTimeoutMs: CONNECT_TIMEOUT_MS })
  } catch (cause) {
    if (!CairnError.is(cause) || cause.code !== 'storage-unavailable') throw cause
    throw new CairnError(
      'storage-unavailable',
      `${messageOf(cause)
        .replace(/^The store/, "The team's store")
        .replace(/\.$/, '')}; nothing is lost, the next sync sends it.`,
      { cause },
    )
  }
}
