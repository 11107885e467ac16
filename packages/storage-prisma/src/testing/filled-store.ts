/** Stores with some of everything, for tests of backups and repairs. */
import type { EntryWrite } from '@cairn/core'
import { memoryEntry, writeMemory } from '@cairn/core/testing'
import { openStore } from '../open-store.ts'

/** 2026-01-05, in ms. */
const T0 = Date.UTC(2026, 0, 5)
const MINUTE = 60_000
const PER_APPEND = 4

/** Texts of three kinds: shared, long and short. By the message's number: shared texts depend on nothing else. */
const textOf = (session: number, index: number): string =>
  index % 3 === 0
    ? // A block of its own, which several sessions share.
      `shared walrus ${index} `.repeat(60)
    : index % 3 === 1
      ? `a long answer of session ${session}, ${index} `.repeat(30 + ((session * 7 + index) % 50))
      : `short ${session}-${index}`

/** The message of a session with this number, at a fixed time; odd numbers are replies with a request. */
const writeOf = (session: number, index: number): EntryWrite => {
  const at = T0 + (session * 100 + index) * MINUTE
  return {
    entry: {
      kind: 'message',
      id: `m${index}`,
      at,
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text: textOf(session, index) }],
    },
    externalId: `m${index}`,
    ...(index % 2 === 0
      ? {}
      : {
          request: {
            callId: `c${session}-${index}`,
            at,
            model: `model-${index % 3}`,
            inputTokens: 10 + index,
            cacheReadTokens: 70_000 + session,
            cacheWrite5mTokens: 300,
            cacheWrite1hTokens: 0,
            outputTokens: 50 + session,
            costNano: BigInt(1_000_000 + session * 1_000 + index),
            costState: 'computed' as const,
          },
        }),
  }
}

/**
 * Appends to session `number` the messages from one index to before another; makes it where it is missing. Rejects
 * where the session does not have `from` entries.
 */
export const appendMessages = async (address: string, number: number, from: number, to: number): Promise<void> => {
  const store = await openStore(address)
  try {
    for (let index = from; index < to; index += PER_APPEND) {
      const writes = Array.from({ length: Math.min(PER_APPEND, to - index) }, (_, one) => writeOf(number, index + one))
      const result = await store.sessions.append(
        { id: `cairn:${number}`, agent: 'cairn', externalId: String(number), workspace: `/work/${number % 2}` },
        index,
        writes,
      )
      if (!result.ok) throw new Error(`session ${number} has ${result.error.actualSeq} entries`)
    }
  } finally {
    await store.close()
  }
}

/**
 * Fills a store, which is made where it is missing: sessions of different lengths (3, 8, 13, …), a note, memory
 * entries, a setting.
 */
export const fillStore = async (address: string, sessions: number): Promise<void> => {
  for (let session = 0; session < sessions; session += 1) await appendMessages(address, session, 0, 3 + session * 5)
  const store = await openStore(address)
  try {
    await store.notes.set({ workspace: '/work/0', key: 'steps', text: 'tag, build, publish', at: T0 })
    for (let index = 0; index < sessions; index += 1)
      await writeMemory(store, T0 + index, { op: 'put', entry: memoryEntry(`memory-${index}`) })
    await store.state.set({ tier: 'global' }, new Map([['timezone', 'UTC']]))
  } finally {
    await store.close()
  }
}

/**
 * Everything that a store has to say: logs, requests, figures, search, memory, notes, settings; for comparisons. Of at
 * most 1,000 sessions. What is found is sorted.
 */
export const contentOf = async (address: string): Promise<unknown> => {
  const store = await openStore(address)
  try {
    const { sessions } = await store.sessions.list({ limit: 1_000 })
    const logs: unknown[] = []
    for (const { id } of sessions) logs.push([id, await store.sessions.read(id), await store.usage.requests(id)])
    return {
      sessions,
      logs,
      usage: await store.usage.report({ by: 'model' }),
      found: (await store.search.search({ text: 'walrus', limit: 1_000 }))
        .map(({ messageId, sessionId }) => [sessionId, messageId])
        .toSorted(),
      memory: await store.memory.list('/work/shop'),
      note: await store.notes.get('/work/0', 'steps'),
      timezone: await store.state.get({ tier: 'global' }, 'timezone'),
    }
  } finally {
    await store.close()
  }
}
