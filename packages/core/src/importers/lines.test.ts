import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { chunked, decode, encode } from './chunks.fixture.ts'
import { splitLines, type SourceItem, type SplitOptions } from './lines.ts'

interface Taken extends Omit<SourceItem, 'bytes'> {
  readonly text: string
}

const take = async (chunks: AsyncIterable<Uint8Array>, options?: SplitOptions): Promise<readonly Taken[]> => {
  const taken: Taken[] = []
  for await (const items of splitLines(chunks, options))
    for (const { bytes, ...item } of items) taken.push({ ...item, text: decode(bytes) })
  return taken
}

describe('splitLines', () => {
  it('numbers lines, returns the offset after each, and keeps a carriage return', async () => {
    expect(await take(chunked(encode('a\r\n\nbé\n'), []))).toEqual([
      { number: 1, text: 'a\r', endOffset: 3 },
      { number: 2, text: '', endOffset: 4 },
      { number: 3, text: 'bé', endOffset: 8 },
    ])
  })

  it('marks a last line without a line end', async () => {
    expect(await take(chunked(encode('a\nbc'), [3]))).toEqual([
      { number: 1, text: 'a', endOffset: 2 },
      { number: 2, text: 'bc', endOffset: 4, problem: 'open' },
    ])
  })

  it('continues at an offset, which may be within a line', async () => {
    const items = await take(chunked(encode('\nnext\n'), []), { offset: 10, line: 4, continuesLine: true })
    expect(items).toEqual([
      { number: 4, text: '', endOffset: 11 },
      { number: 5, text: 'next', endOffset: 16 },
    ])
  })

  it('reports a line over the limit, complete or not, and continues after it', async () => {
    const items = await take(chunked(encode('ok\n0123456789\nfine\n0123456789'), [5, 8]), { maxItemBytes: 8 })
    expect(items.map(({ number, text, problem }) => [number, text, problem])).toEqual([
      [1, 'ok', undefined],
      [2, '', 'too-long'],
      [3, 'fine', undefined],
      [4, '', 'too-long'],
    ])
  })

  it('returns a hundred lines of a run of empty ones, and skips the rest', async () => {
    const bytes = encode(`a\n${'\n'.repeat(250)}b\n${'\r\n'.repeat(150)}c\n${'\n'.repeat(120)}`)
    const cuts = [[], [60, 61, 180, 300, 301, 402, 500], Array.from(bytes.keys())]
    for (const each of cuts) {
      const items = await take(chunked(bytes, each))
      expect(items.filter(({ text }) => text.trim() !== '')).toEqual([
        { number: 1, text: 'a', endOffset: 2 },
        { number: 252, text: 'b', endOffset: 254 },
        { number: 403, text: 'c', endOffset: 556 },
      ])
      expect(items).toHaveLength(303)
    }
  })

  it('creates no items for millions of empty lines', async () => {
    let items = 0
    const chunk = Buffer.alloc(1 << 16, '\n')
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (let count = 0; count < 320; count += 1) yield await Promise.resolve(chunk)
      yield encode('end\n')
    }
    const last: SourceItem[] = []
    for await (const batch of splitLines(chunks())) {
      items += batch.length
      last.splice(0, 1, ...batch.slice(-1))
    }
    expect(items).toBe(101)
    expect(last[0]).toMatchObject({ number: 320 * 65_536 + 1, endOffset: 320 * 65_536 + 4 })
  })

  it('returns the same lines for any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom('a', '\n', '\r', '{', 'é', '😀') }), { maxLength: 20 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (parts, cuts, batchItems) => {
          const bytes = encode(parts.join('\n'))
          const whole = await take(chunked(bytes, []))
          expect(await take(chunked(bytes, cuts), { batchItems })).toEqual(whole)
          expect(whole.map(({ text, problem }) => text + (problem === 'open' ? '' : '\n')).join('')).toBe(decode(bytes))
        },
      ),
    )
  })
})
