import { describe, expect, it } from '@jest/globals'
import { createInMemoryStore } from '../in-memory/index.ts'
import { literalNames } from './literal-names.ts'

/** A store with sessions `a`, `b`, … in which these texts were said. */
const storeOf = async (sessions: readonly (readonly string[])[]) => {
  const store = createInMemoryStore()
  for (const [number, texts] of sessions.entries()) {
    const externalId = String.fromCharCode(97 + number)
    await store.sessions.append(
      { id: `cairn:${externalId}`, agent: 'cairn', externalId },
      0,
      texts.map((text, index) => ({
        entry: {
          kind: 'message' as const,
          id: `${externalId}${index}`,
          at: 1_000 * number + index,
          role: 'user' as const,
          content: [{ type: 'text' as const, text }],
        },
      })),
    )
  }
  return store
}

describe('literalNames', () => {
  it('is the names of a query that looks for names', () => {
    expect(literalNames('ERR_MODULE_NOT_FOUND @cloudflare/containers')).toEqual([
      'ERR_MODULE_NOT_FOUND',
      '@cloudflare/containers',
    ])
    expect(literalNames('where "src/pages.ts:12", sessionLog')).toEqual(['src/pages.ts:12', 'sessionLog'])
    expect(literalNames('(fooBar) fooBar.')).toEqual(['fooBar'])
  })

  it('is nothing for words, for requests that name something, and for pasted text', () => {
    expect(literalNames('the tests fail. why?')).toEqual([])
    expect(literalNames('please add the agent to metadata.json as well')).toEqual([])
    expect(literalNames('a_1 b_2 c_3 d_4 e_5')).toEqual([])
    expect(literalNames('– … !')).toEqual([])
  })
})

describe('a search for a name by session', () => {
  const generic = [
    'module not found, error: the module was not found',
    'err: not found, module err, containers of cloudflare',
    'cloudflare not found in containers; module err',
    'module err not found found not module',
  ]

  it('puts the sessions first that hold it letter for letter, those with more names before the others', async () => {
    const store = await storeOf([
      generic,
      ['a long way', 'it ends with ERR_MODULE_NOT_FOUND and a long list of other words about quite another thing'],
      generic,
      ['nothing', "cannot find '/x/node_modules/@cloudflare/containers/dist' (err_module_not_found)", 'more'],
    ])
    const hits = await store.search.sessions({ text: 'ERR_MODULE_NOT_FOUND @cloudflare/containers' })
    expect(hits.slice(0, 2).map(({ sessionId, best }) => [sessionId, best?.messageId])).toEqual([
      ['cairn:d', 'd1'],
      ['cairn:b', 'b1'],
    ])
    const [first] = hits
    const value = first?.explanation.parts.find(({ name }) => name === 'names as written')?.value ?? 0
    expect(value).toBeGreaterThan(0)
    expect(first?.explanation.parts.reduce((sum, part) => sum + part.value, 0)).toBeCloseTo(first?.score ?? 0, 6)
    expect(hits[2]?.explanation.parts.some(({ name }) => name === 'names as written')).toBe(false)
  })

  it('does not take the words of a name for the name', async () => {
    const store = await storeOf([['the session log of this'], ['cloudflare and its containers, cloudflare containers']])
    const hits = await store.search.sessions({ text: '@cloudflare/containers' })
    expect(hits.map(({ sessionId, explanation }) => [sessionId, explanation.parts.at(-1)?.name])).toEqual([
      ['cairn:b', expect.not.stringContaining('as written')],
    ])
  })
})
