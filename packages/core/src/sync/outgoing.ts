/**
 * A row of the user's store in the form in which it leaves. With figures no text does: names that somebody chose
 * (projects, branches, modes, subagents, sessions) are hashes, unless the user allows them. The hash is made with a salt
 * that the team's store is never told.
 */
import type { Hasher } from '../ports/hasher.ts'
import type { SessionFacts } from '../ports/session-storage.ts'
import type { SyncProject, SyncRequest, SyncSession } from '../ports/sync-storage.ts'
import { shareLevelOf } from './choices.ts'
import type { ShareLevel, SyncChoices } from './choices.ts'

/** What rows are made with on their way out. */
export interface Outgoing {
  /** The session as it leaves, with its title only where its text is shared. */
  session(session: SyncSession): SyncSession
  /** The id that the team's store has a session under. */
  sessionId(sessionId: string): string
  /** The request as it leaves; undefined where its own workspace shares nothing. */
  request(request: SyncRequest, session: SyncSession): SyncRequest | undefined
  /** What is told of a folder's project; undefined where nothing of the folder is shared. */
  project(project: SyncProject): SyncProject | undefined
  /** What is shared of a session. */
  levelOf(session: Pick<SessionFacts, 'workspace'>): ShareLevel
}

export interface OutgoingDeps {
  readonly choices: SyncChoices
  /** Kept from the team's store: the machine's own, or one that the team's members gave each other. */
  readonly salt: string
  readonly hasher: Hasher
}

/** Hexadecimal digits of a name's hash: 64 bits. */
const HASH_LENGTH = 16
/** Modes that programs have; others were named by people. */
const KNOWN_MODES: ReadonlySet<string> = new Set([
  'plan',
  'act',
  'agent',
  'ask',
  'build',
  'chat',
  'code',
  'default',
  'edit',
])
/** Agents whose sessions people name, or which are named after files. */
const NAMED_SESSIONS: ReadonlySet<string> = new Set(['aider', 'generic', 'continue'])
/** Ids that programs make: a UUID, or digits, letters and separators with digits among them. */
const MADE_ID =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{10,20}|(?:[a-z]{1,8}_)?[0-9A-Za-z]{20,40})$/i

/** Whether a project's name is a folder's path, and no remote's address. */
const isFolder = (project: string): boolean => /^(?:[\\/]|[A-Za-z]:[\\/])/.test(project)

const isMadeId = (id: string): boolean => MADE_ID.test(id) && (id.match(/\d/g)?.length ?? 0) >= 4

/**
 * What is told of a folder's project, as the choices let it leave; undefined if nothing of the folder is shared, and
 * without the project's name if that is private.
 * @param nameOf a folder's or project's name, as what is shared of the folder lets it leave
 */
const projectAs = (
  { workspace, project }: SyncProject,
  choices: SyncChoices,
  nameOf: (name: string, folder: string) => string,
): SyncProject | undefined => {
  if (shareLevelOf(choices, workspace) === 'nothing') return undefined
  // One that is called after a folder has that folder's name, as it leaves; a private one has none.
  const named = project !== null && isFolder(project) ? project : workspace
  const isTold = project !== null && shareLevelOf(choices, named) !== 'nothing'
  return { workspace: nameOf(workspace, workspace), project: isTold ? nameOf(project, named) : null }
}

/**
 * Makes rows as they leave, by the user's choices: names as they are where the user chose so or the folder's text is
 * shared, else as hashes (with `salt`). Session ids that people may have chosen are always hashed; agents, models,
 * usual modes and ids that programs made never are. Titles leave only with the text. The same choices and salt give the
 * same rows on every call.
 */
export const createOutgoing = ({ choices, salt, hasher }: OutgoingDeps): Outgoing => {
  const hashes = new Map<string, string>()
  /** The hash of a name of a kind, with `~` before it; made once. */
  const hashed = (kind: string, name: string): string => {
    const key = `${kind}\0${name}`
    const known = hashes.get(key)
    if (known !== undefined) return known
    // Salted before and after: its length can't be played with.
    const hash = `~${hasher.sha256(`${salt}\0${hasher.sha256(`${salt}\0${key}`)}`).slice(0, HASH_LENGTH)}`
    hashes.set(key, hash)
    return hash
  }
  const levelOf = ({ workspace }: Pick<SessionFacts, 'workspace'>): ShareLevel => shareLevelOf(choices, workspace)
  const nameOf = (kind: string, name: string | undefined, workspace: string | undefined): string | undefined =>
    name === undefined || choices.names === 'plain' || shareLevelOf(choices, workspace) === 'text'
      ? name
      : hashed(kind, name)
  const externalIdOf = (agent: string, externalId: string): string =>
    !NAMED_SESSIONS.has(agent) && isMadeId(externalId) ? externalId : hashed('session', `${agent}:${externalId}`)
  const sessionId = (id: string): string => {
    const colon = id.indexOf(':')
    const agent = id.slice(0, Math.max(0, colon))
    return `${agent}:${externalIdOf(agent, id.slice(colon + 1))}`
  }
  return {
    levelOf,
    sessionId,
    session: ({ agent, externalId, workspace, branch, title, forkedFrom, startedAt, updatedAt, id }) => ({
      id: sessionId(id),
      agent,
      externalId: externalIdOf(agent, externalId),
      ...optional('workspace', nameOf('workspace', workspace, workspace)),
      ...optional('branch', nameOf('branch', branch, workspace)),
      ...optional('title', levelOf({ ...optional('workspace', workspace) }) === 'text' ? title : undefined),
      ...optional('forkedFrom', forkedFrom === undefined ? undefined : sessionId(forkedFrom)),
      startedAt,
      updatedAt,
    }),
    project: (project) => projectAs(project, choices, (name, folder) => nameOf('workspace', name, folder) ?? name),
    request: ({ call, fact, visibleCharacters, sessionId: id }, session) => {
      const workspace = fact.workspace ?? session.workspace
      if (shareLevelOf(choices, workspace) === 'nothing') return undefined
      const { workspace: own, branch, mode, subagent, ...figures } = fact
      return {
        call,
        sessionId: sessionId(id),
        fact: {
          ...figures,
          ...optional('workspace', nameOf('workspace', own, own)),
          ...optional('branch', nameOf('branch', branch, workspace)),
          ...optional('mode', mode === undefined || KNOWN_MODES.has(mode) ? mode : nameOf('mode', mode, workspace)),
          ...optional('subagent', nameOf('subagent', subagent, workspace)),
        },
        visibleCharacters,
      }
    },
  }
}

/** An object with the property, or without it where there is no value. */
const optional = <Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } =>
  // The key is of this very name.
  value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]: Value })
