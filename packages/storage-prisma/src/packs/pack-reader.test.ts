/** How often packs are read from the store, and what is held of them. */
import { describe, expect, it } from '@jest/globals'
import { MemoryBudget } from '@cairn/core'
import type { EntryWrite, Store } from '@cairn/core'
import { openStore } from '../open-store.ts'
import { temporaryStores } from '../testing/temporary-stores.ts'

const MEGABYTE = 1024 * 1024
const { newAddress } = temporaryStores()

/** A text that is a block of its own, another one for each pair of numbers. */
const longText = (session: number, index: number): string =>
  Array.from({ length: 60 + 7 * index }, (_, line) => `line ${line} of ${session} ${index}: ${line * session}`).join(
    '\n',
  )

const message = (session: number, index: number, text: string): EntryWrite => ({
  entry: {
    kind: 'message',
    id: `m${session}-${index}`,
    at: 1_700_000_000_000 + index,
    role: 'user',
    content: [{ type: 'text', text }],
  },
})

/** Appends each text as a pack of its own. */
const append = async (store: Store, session: number, texts: readonly string[]): Promise<void> => {
  for (const [index, text] of texts.entries()) {
    const facts = { id: `cairn:${session}`, agent: 'cairn', externalId: `${session}`, workspace: '/work/a' }
    await store.sessions.append(facts, index, [message(session, index, text)])
  }
}

const packsOf = (budget: MemoryBudget): MemoryBudget['figures']['caches'][number] => {
  const figures = budget.figures.caches.find(({ name }) => name === 'packs')
  if (figures === undefined) throw new Error('there is no cache of packs')
  return figures
}

const textOf = async (store: Store, session: number, seq: number): Promise<string | undefined> => {
  const [entry] = await store.sessions.read(`cairn:${session}`, { fromSeq: seq, limit: 1 })
  const block = entry?.kind === 'message' ? entry.content[0] : undefined
  return block?.type === 'text' ? block.text : undefined
}

describe.each(newAddress)('packs of a store on %s', (_, newStore) => {
  it('are read once by many readers at the same time, and by no reader after that', async () => {
    const address = await newStore()
    const budget = new MemoryBudget(16 * MEGABYTE)
    const writer = await openStore(address)
    await append(writer, 1, [longText(1, 0), longText(1, 1), longText(1, 2)])
    await writer.close()
    const store = await openStore(address, { memoryBudget: budget })
    const answers = await Promise.all(Array.from({ length: 8 }, (_unused, index) => textOf(store, 1, index % 3)))
    expect(answers).toEqual(Array.from({ length: 8 }, (_unused, index) => longText(1, index % 3)))
    expect(packsOf(budget).misses).toBe(3)
    expect(packsOf(budget).hits + packsOf(budget).shared).toBe(5)
    expect(await textOf(store, 1, 2)).toBe(longText(1, 2))
    expect(packsOf(budget).misses).toBe(3)
    await store.close()
  })

  it('are opened for the texts that are read, and not for those of their neighbours', async () => {
    const address = await newStore()
    const writer = await openStore(address)
    await append(writer, 1, [longText(1, 0), longText(1, 1)])
    // One pack, of which one message has a text of its own, and two have texts of others.
    await writer.sessions.append({ id: 'cairn:2', agent: 'cairn', externalId: '2', workspace: '/work/a' }, 0, [
      message(2, 0, 'short'),
      message(2, 1, longText(1, 1)),
      message(2, 2, `${'\u0001'}0`),
      message(2, 3, longText(1, 0)),
    ])
    await writer.close()
    const opened: number[] = []
    for (const seq of [0, 1, 2, 3]) {
      const budget = new MemoryBudget(16 * MEGABYTE)
      const store = await openStore(address, { memoryBudget: budget })
      expect(await textOf(store, 2, seq)).toBe(['short', longText(1, 1), `${'\u0001'}0`, longText(1, 0)][seq])
      opened.push(packsOf(budget).misses)
      await store.close()
    }
    expect(opened[0]).toBe(1)
    expect(opened[1]).toBe(2)
    expect(opened[3]).toBe(2)
  })

  it('stay in memory when they are read again, however many others are read once', async () => {
    const address = await newStore()
    const texts = Array.from({ length: 12 }, (_unused, index) => longText(3, index))
    const writer = await openStore(address)
    await append(writer, 3, texts)
    await writer.close()
    const missesOf = async (packCache: { onceBytes: number; mostBytes: number }): Promise<number> => {
      const budget = new MemoryBudget(MEGABYTE)
      const store = await openStore(address, { memoryBudget: budget, packCache })
      for (const seq of [5, 5]) expect(await textOf(store, 3, seq)).toBe(texts[seq])
      for (const seq of texts.keys()) if (seq !== 5) expect(await textOf(store, 3, seq)).toBe(texts[seq])
      const before = packsOf(budget).misses
      expect(await textOf(store, 3, 5)).toBe(texts[5])
      expect(packsOf(budget).bytes).toBeLessThanOrEqual(packCache.mostBytes)
      await store.close()
      return packsOf(budget).misses - before
    }
    expect(await missesOf({ onceBytes: 6_000, mostBytes: 12_000 })).toBe(0)
    expect(await missesOf({ onceBytes: 12_000, mostBytes: 12_000 })).toBe(1)
  })

  it('are gone from memory with their session, and with the whole store', async () => {
    const address = await newStore()
    const budget = new MemoryBudget(16 * MEGABYTE)
    const store = await openStore(address, { memoryBudget: budget })
    await append(store, 1, [longText(1, 0)])
    await append(store, 2, [longText(2, 0), longText(2, 1)])
    for (const session of [1, 2, 2]) await textOf(store, session, 0)
    expect(packsOf(budget).entries).toBe(2)
    const reading = textOf(store, 2, 1)
    await store.sessions.delete('cairn:1')
    await reading
    await textOf(store, 2, 0)
    await store.purge()
    expect(packsOf(budget)).toMatchObject({ entries: 0, bytes: 0 })
    await store.close()
  })
})
