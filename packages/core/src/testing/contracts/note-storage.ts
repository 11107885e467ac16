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

    it('keeps odd keys as they are or refuses them, but never changes them', async (store) => {
      for (const key of ['a\u0000b', '\ud800']) {
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

    it('gives back any text', async (store) => {
      for (const text of ['', 'a\u0000b\ud800', '\u0001x', '😀', 'x'.repeat(1_000_000)]) {
        await store.notes.set(note('k', text))
        expect((await store.notes.get('/work/shop', 'k'))?.text === text).toBe(true)
      }
    })

    it('remembers when a note was made, changed, and by which session', async (store) => {
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

    it('searches key and text for all words, newest first', async (store) => {
      await store.notes.set(note('deploy', 'Use the Blue pipeline', 1))
      await store.notes.set(note('blue-team', 'pipeline of reviews', 3))
      await store.notes.set(note('colours', 'blue and green', 2))
      const found = async (text: string, workspace = '/work/shop') =>
        (await store.notes.search(workspace, text)).map((hit) => hit.key)
      expect(await found('BLUE')).toEqual(['blue-team', 'colours', 'deploy'])
      expect(await found('blue pipeline')).toEqual(['blue-team', 'deploy'])
      expect(await found('100%')).toEqual([])
      expect(await found('e_d')).toEqual([])
      expect(await found('blue', '/work/other')).toEqual([])
    })

    it('deletes, and says whether there was something', async (store) => {
      await store.notes.set(note('k', 'x'))
      expect(await store.notes.delete('/work/other', 'k')).toBe(false)
      expect(await store.notes.delete('/work/shop', 'k')).toBe(true)
      expect(await store.notes.delete('/work/shop', 'k')).toBe(false)
      expect(await store.notes.get('/work/shop', 'k')).toBe(undefined)
      expect(await store.notes.search('/work/shop', 'x')).toEqual([])
    })

    it('takes many writers at once', async (store) => {
      await Promise.all([
        ...Array.from({ length: 15 }, (_, index) => store.notes.set(note(`k${index}`, 'x'))),
        ...Array.from({ length: 15 }, (_, index) => store.notes.set(note('same', `${index}`))),
      ])
      expect((await store.notes.list('/work/shop')).length).toBe(16)
    })
  })
}
