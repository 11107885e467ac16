import { describe, expect, it } from '@jest/globals'
import { createInMemoryStore } from '../in-memory/index.ts'
import { comparable } from './quoted-phrases.ts'
import { verbatimPattern } from './verbatim.ts'

const entries = async (texts: readonly string[]) => {
  const store = createInMemoryStore()
  const writes = texts.map((text, index) => ({
    entry: {
      kind: 'message' as const,
      id: `m${index}`,
      at: index,
      role: 'user' as const,
      content: [{ type: 'text' as const, text }],
    },
  }))
  await store.sessions.append({ id: 'cairn:s', agent: 'cairn', externalId: 's' }, 0, writes)
  return store
}

describe('a verbatim query', () => {
  it('ranks the exact wording above the same words in another order', async () => {
    const store = await entries([
      'key private, private key, folder key',
      'the folder of the key is private',
      'put your Private  key\nfolder there, and leave it for as long as it takes to be found',
      'private things',
    ])
    const hits = await store.search.search({ text: 'private key folder' })
    expect(hits[0]?.messageId).toBe('m2')
    expect(hits[0]?.explanation.parts.at(-1)?.name).toBe('word for word')
    const sum = hits[0]?.explanation.parts.reduce((total, { value }) => total + value, 0) ?? 0
    expect(sum).toBeCloseTo(hits[0]?.score ?? 0, 6)
    expect(
      hits.slice(1).every(({ explanation }) => explanation.parts.every(({ name }) => name !== 'word for word')),
    ).toBe(true)
  })

  it('may hold any characters, and matches at word boundaries', () => {
    expect(verbatimPattern('a.b (c) [d]*')?.test('x a.b  (c)\n[D]* y')).toBe(true)
    expect(verbatimPattern('a.b (c) [d]*')?.test('aXb (c) [d]*')).toBe(false)
    expect(verbatimPattern('use the key')?.test('reuse the key')).toBe(false)
    expect(verbatimPattern('use the key')?.test('use the keys')).toBe(false)
    expect(verbatimPattern('größe der datei')?.test(comparable('die GRÖSSE, Größe der Datei'))).toBe(true)
    expect(verbatimPattern("dans l'école ouverte")?.test(comparable('Dans l’ecole ouverte'))).toBe(true)
  })

  it('does not apply to two words or to a whole prompt', () => {
    expect(verbatimPattern('private key')).toBeUndefined()
    expect(verbatimPattern('word '.repeat(200))).toBeUndefined()
  })
})
