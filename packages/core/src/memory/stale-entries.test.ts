import { describe, expect, it } from '@jest/globals'
import { DAY_MS, SATURDAY, SHOP, openMemory, type MemoryFixture } from './memory.fixture.ts'

/** Two entries that count the same but for the place that one of them cites. */
const remembered = async (example = 'src/auth.ts:2'): Promise<MemoryFixture> => {
  const opened = openMemory()
  opened.fileSystem.write(`${SHOP}/README.md`, 'The shop')
  opened.fileSystem.write(`${SHOP}/src/auth.ts`, 'first line of it\nconst rounds = 14 // slow\nlast line\n')
  await opened.memory.add({
    workspace: SHOP,
    kind: 'discovery',
    text: 'Slow logins: bcrypt rounds',
    examples: [example],
  })
  await opened.memory.add({
    workspace: SHOP,
    kind: 'discovery',
    text: 'Slow logins: monday rush',
    confidence: 0.7,
    examples: ['src/cron.ts, two'],
  })
  return opened
}
const changed = [{ place: 'src/auth.ts:2', verdict: 'changed', detail: 'the lines say something else now' }]
const missing = [{ place: 'src/auth.ts:2', verdict: 'missing', detail: 'the file is not there' }]
const rewrite = ({ fileSystem }: MemoryFixture): void =>
  fileSystem.write(`${SHOP}/src/auth.ts`, 'first line of it\nconst rounds = await settings()\nlast line\n')

describe('an entry in a section', () => {
  it('is not marked while its cited lines are unchanged, or only moved', async () => {
    const opened = await remembered()
    const { memory, fileSystem } = opened
    expect((await memory.list(SHOP)).filter(({ stale }) => stale !== undefined)).toEqual([])
    fileSystem.write(`${SHOP}/src/auth.ts`, 'a new line\nfirst\nconst rounds = 14 // slow\n')
    expect((await memory.list(SHOP)).filter(({ stale }) => stale !== undefined)).toEqual([])
    expect((await memory.section(SHOP)).text).not.toContain('out of date?')
    expect((await memory.section(SHOP)).entries[0]?.text).toBe('Slow logins: bcrypt rounds')
  })

  it.each([
    ['changed', changed, 'out of date? src/auth.ts:2 has changed', rewrite],
    [
      'gone',
      missing,
      'out of date? src/auth.ts:2 is gone',
      ({ fileSystem }: MemoryFixture) => fileSystem.remove(`${SHOP}/src/auth.ts`),
    ],
  ])(
    'is marked and ranked lower once its lines are %s, without a check and without a write',
    async (_, stale, words, act) => {
      const opened = await remembered()
      const { memory, store } = opened
      const texts = async (): Promise<readonly string[]> =>
        (await memory.search(SHOP, 'logins')).map(({ entry }) => entry.text)
      expect((await texts())[0]).toBe('Slow logins: bcrypt rounds')
      const before = await store.memory.list(SHOP)
      act(opened)

      const section = await memory.section(SHOP)
      expect(section.entries.map(({ text }) => text)).toEqual([
        'Slow logins: monday rush',
        'Slow logins: bcrypt rounds',
      ])
      expect(section.entries.map((entry) => entry.stale)).toEqual([undefined, stale])
      expect(section.text).toContain(words)
      const found = await memory.search(SHOP, 'logins')
      expect(found.map(({ entry }) => [entry.text, entry.stale])).toEqual([
        ['Slow logins: monday rush', undefined],
        ['Slow logins: bcrypt rounds', stale],
      ])
      expect((await memory.search(SHOP, 'logins', { limit: 1 }))[0]?.entry.text).toBe('Slow logins: monday rush')
      const listed = (await memory.list(SHOP)).find(({ text }) => text === 'Slow logins: bcrypt rounds')
      expect(listed?.stale).toEqual(stale)
      expect((await memory.get(listed?.id ?? '')).stale).toEqual(stale)
      expect(await store.memory.list(SHOP)).toEqual(before)
    },
  )

  it('is marked after a check too, and not reduced twice', async () => {
    const opened = await remembered()
    const { memory } = opened
    rewrite(opened)
    const before = await memory.search(SHOP, 'bcrypt')
    await memory.check(SHOP, SHOP)
    const [after] = await memory.search(SHOP, 'bcrypt')
    expect(after?.entry.stale).toMatchObject([{ verdict: 'changed' }])
    // The check took its part of the confidence: no further one is taken of the score.
    expect(after?.score).toBeGreaterThan(before[0]?.score ?? Infinity)
    const [id = ''] = (await memory.list(SHOP)).flatMap((entry) => (entry.stale === undefined ? [] : [entry.id]))
    await memory.confirm(id)
    expect((await memory.get(id)).stale).toBeUndefined()
  })

  it("whose citation was never recorded is not marked: the lines' earlier text is unknown", async () => {
    for (const example of ['src/none.ts:3', 'node.js:20', 'https://localhost:8080', 'words']) {
      const { memory } = await remembered(example)
      expect((await memory.list(SHOP)).some(({ stale }) => stale !== undefined)).toBe(false)
    }
  })

  it('of a project that is not on this machine, or of an earlier time, is not marked', async () => {
    const opened = await remembered()
    const { memory, clock } = opened
    const then = clock.now()
    clock.advance(DAY_MS)
    rewrite(opened)
    expect((await memory.list(SHOP, { asOf: then })).some(({ stale }) => stale !== undefined)).toBe(false)
    expect((await memory.search(SHOP, 'slow', { asOf: then })).some(({ entry }) => entry.stale !== undefined)).toBe(
      false,
    )
    await memory.add({ workspace: '/elsewhere', kind: 'pattern', text: 'A rule of theirs', examples: ['src/a.ts:1'] })
    expect((await memory.list('/elsewhere'))[0]?.stale).toBeUndefined()
  })

  it('is the same for all requests of a session that changes the files meanwhile', async () => {
    const opened = await remembered()
    const { memory, clock } = opened
    const began = clock.now()
    const first = await memory.section(SHOP, { at: began })
    expect(first.text).not.toContain('out of date?')
    clock.advance(60_000)
    rewrite(opened)
    expect(await memory.section(SHOP, { at: began })).toEqual(first)
    expect((await memory.section(SHOP, { at: clock.now() })).text).toContain('out of date?')
    clock.advance(2 * DAY_MS)
    expect((await memory.section(SHOP, { at: SATURDAY - DAY_MS })).text).toBe('')
  })
})
