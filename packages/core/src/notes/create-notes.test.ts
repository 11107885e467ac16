import { describe, expect, it } from '@jest/globals'
import { createInMemoryStore, createTestClock } from '../testing/index.ts'
import { closeKeys } from './close-keys.ts'
import { createNotes } from './create-notes.ts'

const SHOP = '/work/shop'
/** In parts, so that no scanner takes this file for a leak. */
const AWS_ID = ['AK', 'IAQ3EGRS7TUVWX2YZA'].join('')

const open = () => {
  const clock = createTestClock(1_000)
  const { notes: storage } = createInMemoryStore()
  return { notes: createNotes({ storage, clock }), clock, storage }
}

const rejection = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise
    return 'none'
  } catch (error) {
    return error instanceof Error && 'code' in error ? `${String(error.code)}: ${error.message}` : String(error)
  }
}

describe('notes', () => {
  it('are read as they were stored, with their session', async () => {
    const { notes, clock } = open()
    expect(await notes.set(SHOP, 'auth bug', 'token refresh loses its result', 'cairn:s')).toEqual({
      workspace: SHOP,
      key: 'auth bug',
      text: 'token refresh loses its result',
      sessionId: 'cairn:s',
      createdAt: 1_000,
      updatedAt: 1_000,
    })
    clock.advance(500)
    expect(await notes.set(SHOP, 'auth bug', 'fixed')).toMatchObject({
      text: 'fixed',
      sessionId: null,
      createdAt: 1_000,
      updatedAt: 1_500,
    })
    expect((await notes.get(SHOP, 'auth bug', 1_499)).text).toBe('token refresh loses its result')
    expect((await notes.list(SHOP, 1_000)).map(({ text }) => text)).toEqual(['token refresh loses its result'])
  })

  it('any key is a name, not a path', async () => {
    const { notes } = open()
    const keys = [
      '../../escape',
      '/etc/passwd',
      'C:\\x',
      '..',
      '__proto__',
      'a\u0000b',
      '\ud800',
      '😀',
      'line\nbreak',
      'x'.repeat(512),
    ]
    for (const key of keys) await notes.set(SHOP, key, `of ${key}`)
    for (const key of keys) expect((await notes.get(SHOP, key)).text).toBe(`of ${key}`)
    expect((await notes.list(SHOP)).length).toBe(keys.length)
  })

  it('a missing key is an error that names similar ones', async () => {
    const { notes } = open()
    expect(await rejection(notes.get(SHOP, 'deploy'))).toBe(
      'not-found: There is no note "deploy"; this workspace has none.',
    )
    for (const key of ['deploy-notes', 'Deploy', 'depoly', 'other']) await notes.set(SHOP, key, 'x')
    expect(await rejection(notes.get(SHOP, 'deploy'))).toBe(
      'not-found: There is no note "deploy"; close to it: "Deploy", "deploy-notes", "depoly".',
    )
    expect(await rejection(notes.delete(SHOP, 'zzz'))).toBe(
      'not-found: There is no note "zzz"; there are 4 notes of other names.',
    )
    expect(await rejection(notes.get(SHOP, 'Deploy', 999))).toBe(
      'not-found: There is no note "Deploy"; this workspace has none.',
    )
    await notes.delete(SHOP, 'Deploy')
    expect(await rejection(notes.get(SHOP, 'Deploy'))).toMatch(/^not-found: /)
  })

  it('refuses an invalid note in one sentence', async () => {
    const { notes, storage } = open()
    const refusals = [
      notes.set(SHOP, '', 'x'),
      notes.set(SHOP, ' ', 'x'),
      notes.set(SHOP, 'x'.repeat(10_000), 'x'),
      notes.set(SHOP, 'k', ' '),
      notes.set(SHOP, 'k', 'x'.repeat(1_000_001)),
      notes.set('', 'k', 'x'),
      notes.search(SHOP, 'x', 0),
    ]
    for (const refusal of refusals) expect(await rejection(refusal)).toMatch(/^invalid-input: [A-Z].{10,200}\.$/)
    expect(await storage.workspaces()).toEqual([])
  })

  it('redacts secrets, in the key too', async () => {
    const { notes, storage } = open()
    await notes.set(SHOP, AWS_ID, `the key is ${AWS_ID}`)
    expect(JSON.stringify(await storage.list(SHOP))).not.toContain(AWS_ID)
    expect((await notes.get(SHOP, AWS_ID)).text).toContain('[redacted:')
    await notes.delete(SHOP, AWS_ID)
  })

  it('are found by words of their key and text', async () => {
    const { notes } = open()
    await notes.set(SHOP, 'deploy', 'Use the blue pipeline')
    await notes.set(SHOP, 'blue-team', 'reviews of the pipeline')
    await notes.set(SHOP, 'colours', 'green and red')
    await notes.set('/work/other', 'deploy', 'elsewhere')
    const found = async (text: string, limit?: number) =>
      (await notes.search(SHOP, text, limit)).map(({ note }) => note.key)
    expect([...(await found('blue pipelines'))].sort()).toEqual(['blue-team', 'deploy'])
    expect(await found('deploy')).toEqual(['deploy'])
    expect(await found('reviewing')).toEqual(['blue-team'])
    expect((await found('pipeline', 1)).length).toBe(1)
    expect(await found('purple')).toEqual([])
  })
})

describe('close keys', () => {
  it('contain the wanted key, are contained in it, or differ by a few letters', () => {
    expect(closeKeys('auth', ['auth_bug', 'author', 'aut', 'suth', 'auhf', 'x', 'unrelated'])).toEqual([
      'aut',
      'auth_bug',
      'author',
    ])
    expect(closeKeys('sesion', ['session', 'sessions', 'mission', 'other'])).toEqual(['session', 'sessions'])
    expect(closeKeys('ab', ['ba', 'xy'])).toEqual(['ba'])
    expect(closeKeys('x'.repeat(10_000), ['x'.repeat(9_999)])).toEqual(['x'.repeat(9_999)])
  })
})
