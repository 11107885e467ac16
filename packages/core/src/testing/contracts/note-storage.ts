/** The contract that every NoteStorage keeps. */
import { CairnError } from '../../errors.ts'
import { rejectionOf, testsOn, type OpenStore, type TestApi } from './test-api.ts'

const KEYS = [
  'plain',
  'Plain',
  'with space',
  '../../escape',
  '/etc/passwd',
  'C:\\x',
  'a/b',
  '.',
  '..',
  'CON',
  '__proto__',
  '😀 émoji',
  'x'.repeat(2000),
  `'; DROP TABLE notes; --`,
  '%',
  '_',
  '*',
  '\u0001',
  'line\nbreak',
]

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runNoteStorageContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)
  const note = (key: string, text: string, at = 1) => ({ workspace: '/work/shop', key, text, at })

  describe('NoteStorage', () => {
    it('keeps notes under any key', async (store) => {
      for (const [index, key] of KEYS.entries()) await store.notes.set(note(key, `text ${index}`))
      for (const [index, key] of KEYS.entries()) {
        expect(await store.notes.get('/work/shop', key)).toEqual({
          workspace: '/work/shop',
          key,
          text: `text ${index}`,
          sessionId: null,
          createdAt: 1,
          updatedAt: 1,
        })
      }
      expect((await store.notes.list('/work/shop')).length).toBe(KEYS.length)
    })

    it('keeps odd keys or refuses them, but never changes them', async (store) => {
      for (const key of ['a\u0000b', '\ud800', '😀'.repeat(2_500), '\udfff'.repeat(512)]) {
        const rejection = await rejectionOf(store.notes.set(note(key, 'x')))
        if (rejection === undefined) expect((await store.notes.get('/work/shop', key))?.key).toBe(key)
        else expect(CairnError.is(rejection)).toBe(true)
      }
      expect(await store.notes.get('/work/shop', 'ab')).toBe(undefined)
    })

    it('refuses an empty key', async (store) => {
      expect(CairnError.is(await rejectionOf(store.notes.set(note('', 'x'))))).toBe(true)
      expect(await store.notes.list('/work/shop')).toEqual([])
    })

    it('has another revision after each change of a workspace, and only then', async (store) => {
      const revision = () => store.notes.revision('/work/shop')
      const revisions = [await revision()]
      for (const change of [
        () => store.notes.set(note('a', 'one')),
        () => store.notes.set(note('b', 'one')),
        () => store.notes.set(note('a', 'two')),
        () => store.notes.delete('/work/shop', 'b', 2),
        () => store.notes.set(note('b', 'one', 3)),
      ]) {
        await change()
        revisions.push(await revision())
      }
      expect(new Set(revisions).size).toBe(revisions.length)
      await store.notes.set({ ...note('a', 'x'), workspace: '/work/other' })
      await store.notes.delete('/work/shop', 'none', 4)
      expect(await revision()).toBe(revisions.at(-1))
    })

    it('returns any text unchanged', async (store) => {
      for (const text of ['', 'a\u0000b\ud800', '\u0001x', '😀', 'x'.repeat(1_000_000)]) {
        await store.notes.set(note('k', text))
        expect((await store.notes.get('/work/shop', 'k'))?.text === text).toBe(true)
      }
    })

    it('records when a note was created and changed, and by which session', async (store) => {
      await store.notes.set({ ...note('k', 'one', 100), sessionId: 'cairn:s' })
      await store.notes.set({ ...note('k', 'between', 150), sessionId: 'cairn:s' })
      await store.notes.set({ ...note('k', 'two', 200), sessionId: 'cairn:t' })
      expect(await store.notes.get('/work/shop', 'k')).toEqual({
        workspace: '/work/shop',
        key: 'k',
        text: 'two',
        sessionId: 'cairn:t',
        createdAt: 100,
        updatedAt: 200,
      })
    })

    it('lists by key, a workspace at a time', async (store) => {
      for (const key of ['b', 'a', 'B', 'a1']) await store.notes.set(note(key, key))
      await store.notes.set({ workspace: '/work/other', key: 'a', text: 'elsewhere', at: 1 })
      expect((await store.notes.list('/work/shop')).map((found) => found.key)).toEqual(['B', 'a', 'a1', 'b'])
      expect((await store.notes.list('/work/other')).map((found) => found.text)).toEqual(['elsewhere'])
      expect(await store.notes.list('/work')).toEqual([])
    })

    it('deletes, and reports whether there was something', async (store) => {
      await store.notes.set(note('k', 'x'))
      expect(await store.notes.delete('/work/other', 'k', 2)).toBe(false)
      expect(await store.notes.delete('/work/shop', 'k', 2)).toBe(true)
      expect(await store.notes.delete('/work/shop', 'k', 3)).toBe(false)
      expect(await store.notes.get('/work/shop', 'k')).toBe(undefined)
      expect(await store.notes.list('/work/shop')).toEqual([])
    })

    it('returns notes as of any time', async (store) => {
      await store.notes.set(note('k', 'one', 100))
      await store.notes.set(note('other', 'elsewhere', 150))
      await store.notes.set(note('k', 'two', 200))
      await store.notes.delete('/work/shop', 'k', 300)
      await store.notes.set(note('k', 'three', 400))
      const texts = []
      for (const asOf of [99, 100, 199.5, 200, 299, 300, 399, 400, undefined])
        texts.push((await store.notes.get('/work/shop', 'k', asOf))?.text)
      expect(texts).toEqual([undefined, 'one', 'one', 'two', 'two', undefined, undefined, 'three', 'three'])
      const listed = async (asOf: number) =>
        (await store.notes.list('/work/shop', asOf)).map(({ key, text }) => `${key}: ${text}`)
      expect([await listed(99), await listed(150), await listed(250), await listed(350)]).toEqual([
        [],
        ['k: one', 'other: elsewhere'],
        ['k: two', 'other: elsewhere'],
        ['other: elsewhere'],
      ])
      // After it was deleted it is another note of the same name.
      expect((await store.notes.get('/work/shop', 'k', 250))?.createdAt).toBe(100)
      expect((await store.notes.get('/work/shop', 'k'))?.createdAt).toBe(400)
    })

    it('continues after the last version when the clock is behind', async (store) => {
      await store.notes.set(note('k', 'one', 500))
      await store.notes.set(note('k', 'two', 100))
      expect(await store.notes.get('/work/shop', 'k')).toMatchObject({ text: 'two', createdAt: 500, updatedAt: 500 })
      expect(await store.notes.delete('/work/shop', 'k', 200)).toBe(true)
      expect(await store.notes.get('/work/shop', 'k', 500)).toBe(undefined)
    })

    it('lists the workspaces with notes', async (store) => {
      for (const workspace of ['/work/b', '/work/a', '/work/\u0000', '/work/gone'])
        await store.notes.set({ workspace, key: 'k', text: 'x', at: 1 })
      await store.notes.delete('/work/gone', 'k', 2)
      expect(await store.notes.workspaces()).toEqual(['/work/\u0000', '/work/a', '/work/b'])
    })

    it('accepts many concurrent writers', async (store) => {
      await Promise.all([
        ...Array.from({ length: 15 }, (_, index) => store.notes.set(note(`k${index}`, 'x'))),
        ...Array.from({ length: 15 }, (_, index) => store.notes.set(note('same', `${index}`))),
      ])
      expect((await store.notes.list('/work/shop')).length).toBe(16)
    })
  })
}
