/** A team's store for tests: what Ada and Bo synced, with their texts, which are looked for afterwards. */
import type { EntryWrite } from '@cairn/core'
import { createHasher } from '@cairn/core/node'
import { createOutgoing, DEFAULT_CHOICES, runSync } from '@cairn/core/sync'
import { openStore } from '@cairn/storage-prisma'
import type { DatabaseStore } from '@cairn/storage-prisma'

/** Stands in every title and text of the store. */
export const PLANTED = 'planted-secret'

const A_MINUTE = 60_000

const writesOf = (name: string, costNano: bigint): readonly EntryWrite[] => {
  const at = Date.now() - 30 * A_MINUTE
  return [
    {
      entry: {
        kind: 'message',
        id: `${name}-1`,
        at,
        role: 'user',
        content: [{ type: 'text', text: `${PLANTED} of ${name}` }],
      },
    },
    {
      entry: {
        kind: 'message',
        id: `${name}-2`,
        at: at + A_MINUTE,
        role: 'assistant',
        content: [{ type: 'text', text: `${PLANTED} answer to ${name}` }],
      },
      request: {
        callId: `call-${name}`,
        at: at + A_MINUTE,
        model: 'claude-sonnet-5',
        inputTokens: 10,
        cacheReadTokens: 1_000,
        cacheWrite5mTokens: 0,
        cacheWrite1hTokens: 0,
        outputTokens: 100,
        costNano,
        costState: 'recorded',
      },
    },
  ]
}

/** What a session costs in a store of {@link fillTeamStore}, USD. */
export const COSTS = { ada: 3, bo: 4 } as const
export const SESSIONS = {
  ada: 'claude-code:0ccf1a04-0000-4000-8000-00000000000a',
  bo: 'claude-code:0ccf1a04-0000-4000-8000-00000000000b',
} as const

const syncFrom = async (name: keyof typeof SESSIONS, person: string, team: DatabaseStore, file: string) => {
  const local = await openStore(`file:${file}`)
  const id = SESSIONS[name]
  await local.sessions.append(
    {
      id,
      agent: 'claude-code',
      externalId: id.slice('claude-code:'.length),
      workspace: '/work/shop',
      title: `${PLANTED} title of ${name}`,
    },
    0,
    writesOf(name, BigInt(COSTS[name]) * 1_000_000_000n),
  )
  await runSync({
    source: local.sync.source,
    target: () => Promise.resolve(team.sync.target),
    outgoing: createOutgoing({
      choices: { ...DEFAULT_CHOICES, share: 'text' },
      salt: 'salt',
      hasher: createHasher(),
    }),
    machine: { id: `machine of ${name}`, person, personId: `p-${name}` },
    now: () => Date.now(),
  })
  await local.close()
}

/** Syncs a session each of Ada (`ada@example.com`) and Bo into the store. */
export const fillTeamStore = async (address: string, folder: string): Promise<void> => {
  const team = await openStore(address)
  await syncFrom('ada', 'ada@example.com', team, `${folder}/ada.db`)
  await syncFrom('bo', 'bo@example.com', team, `${folder}/bo.db`)
  await team.notes.set({ workspace: '/work/shop', key: 'note', text: `${PLANTED} note`, at: Date.now() })
  await team.close()
}
