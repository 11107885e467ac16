/** A store that was closed says so, in one sentence, whatever it is asked. */
import { describe, expect, it } from '@jest/globals'
import { CairnError, createEngine } from '@cairn/core'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import { openStore } from './open-store.ts'
import { temporaryStores } from './testing/temporary-stores.ts'

const { newAddress } = temporaryStores()

const refusal = async (work: () => unknown): Promise<string> => {
  try {
    await work()
    return 'none'
  } catch (error) {
    return CairnError.is(error) ? `${error.code}: ${error.message}` : `untyped: ${String(error)}`
  }
}

describe.each(newAddress)('after close() on %s', (_, address) => {
  it('memory, notes, profile, appends and queries all report that the store is closed', async () => {
    const clock = createSystemClock()
    const store = await openStore(await address())
    const engine = createEngine({
      store,
      fileSystem: createFileSystem(),
      hasher: createHasher(),
      clock,
      ids: createIds(clock),
    })
    const entry = { kind: 'message', id: 'm', at: 1, role: 'user', content: [{ type: 'text', text: 'x' }] } as const
    await engine.sessions.append({ id: 'cairn:a', agent: 'cairn', externalId: 'a' }, 0, [{ entry }])
    await engine.memory.add({ workspace: '/w', kind: 'discovery', text: 'before' })
    await engine.profile.set('language', 'Danish')
    await engine.close()
    const asked: readonly (() => unknown)[] = [
      () =>
        engine.sessions.append({ id: 'cairn:a', agent: 'cairn', externalId: 'a' }, 1, [
          { entry: { ...entry, id: 'n' } },
        ]),
      () => engine.memory.add({ workspace: '/w', kind: 'discovery', text: 'x' }),
      () => engine.memory.list('/w'),
      () => engine.notes.set('/w', 'k', 'x'),
      () => engine.notes.list('/w'),
      () => engine.profile.show(),
      () => engine.recall.messages({ text: 'x' }),
      () => engine.sessions.log('cairn:a'),
      () => engine.usage.report({ by: 'day' }),
      () => engine.store.sessions.delete('cairn:a'),
      () => store.check(),
    ]
    for (const ask of asked) expect(await refusal(ask)).toBe('storage-unavailable: The store has been closed.')
    await engine.close()
  })
})

describe('openStore', () => {
  it.each([[undefined], [null], [5], [{}], [''], ['lib.db'], ['http://x']])(
    'of %j explains what an address is',
    async (address) => {
      expect(await refusal(() => openStore(address as string))).toMatch(
        /^usage: .+ is not the address of a store: use file:<path> or postgresql:\/\/user@host\/database\.$/,
      )
    },
  )
})
