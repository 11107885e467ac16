/** For tests of a sync: sessions with texts and requests to look for, and a sync between two stores. */
import type { EntryWrite } from '@cairn/core'
import { createHasher } from '@cairn/core/node'
import { createOutgoing, DEFAULT_CHOICES, runSync } from '@cairn/core/sync'
import type { SyncChoices, SyncDeps, SyncReport, SyncTarget } from '@cairn/core/sync'
import type { DatabaseStore } from '../open-store.ts'

/** 2026-01-05, in ms. */
const T0 = Date.UTC(2026, 0, 5)
const SECOND = 1_000

export interface Planted {
  readonly session: string
  readonly agent?: string
  readonly workspace?: string
  readonly branch?: string
  readonly title?: string
  readonly messages: number
  /** Of the first call; the others follow. */
  readonly call?: number
}

/**
 * Fills a session with messages, of which each second is a reply with a request. Numbers and times count from `from`,
 * which must be the log's length; rejects where it is not.
 */
export const plant = async (
  store: DatabaseStore,
  { session, agent = 'claude-code', messages, call = 0, ...facts }: Planted,
  from = 0,
): Promise<void> => {
  const writes = Array.from({ length: messages }, (_, position): EntryWrite => {
    const index = from + position
    const at = T0 + (call + index) * 97 * SECOND
    return {
      entry: {
        kind: 'message',
        id: `m${index}`,
        at,
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: [{ type: 'text', text: `planted text ${session} ${index} ${'w '.repeat((index * 37) % 400)}` }],
      },
      ...(index % 2 === 0 ? {} : { request: requestOf(call + index, at), visibleCharacters: 900 + index }),
    }
  })
  const { workspace = '/work/planted', ...named } = facts
  const result = await store.sessions.append(
    { id: `${agent}:${session}`, agent, externalId: session, workspace, ...named },
    from,
    writes,
  )
  if (!result.ok) throw new Error(`the session has ${result.error.actualSeq} entries`)
}

/** The request of a reply; all figures follow from its number. */
const requestOf = (call: number, at: number): NonNullable<EntryWrite['request']> => ({
  callId: `call-${call}`,
  at,
  model: `model-${call % 3}`,
  provider: 'anthropic',
  inputTokens: 10 + call,
  cacheReadTokens: 70_000 + call * 13,
  cacheWrite5mTokens: 300,
  cacheWrite1hTokens: 0,
  outputTokens: 50 + (call % 700),
  costNano: BigInt(1_234_567 + call * 7_919),
  costState: call % 5 === 0 ? 'recorded' : 'computed',
  costSplit: { cacheReadNano: 400_000n, cacheWriteNano: 300n, outputNano: 5n, savedNano: 77n },
  outputRate: 15_000_000n,
})

/** A session's own id, of the form that agents make. */
export const id = (number: number): string => `0ccf1a04-0000-4000-8000-${String(number).padStart(12, '0')}`

export interface Machine {
  readonly id: string
  readonly name?: string
  readonly person?: string
  readonly personId?: string
  readonly salt?: string
  readonly choices?: Partial<SyncChoices>
}

/** What a sync of a machine is made of. Its clock stands still. */
export const depsOf = (local: DatabaseStore, target: () => Promise<SyncTarget>, machine: Machine): SyncDeps => ({
  source: local.sync.source,
  target,
  outgoing: createOutgoing({
    choices: { ...DEFAULT_CHOICES, ...machine.choices },
    salt: machine.salt ?? 'salt',
    hasher: createHasher(),
  }),
  machine: {
    id: machine.id,
    ...(machine.name === undefined ? {} : { name: machine.name }),
    ...(machine.person === undefined ? {} : { person: machine.person }),
    ...(machine.personId === undefined ? {} : { personId: machine.personId }),
  },
  now: () => T0,
})

/** Runs a sync between two open stores. */
export const sync = (local: DatabaseStore, team: DatabaseStore, machine: Machine = { id: 'a' }): Promise<SyncReport> =>
  runSync(depsOf(local, () => Promise.resolve(team.sync.target), machine))
