import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { chunked, decode, encode } from './chunks.fixture.ts'
import { fieldsBeside, splitElements, type DocumentEnd, type ElementOptions } from './json-elements.ts'

interface Taken {
  readonly end: DocumentEnd
  readonly texts: readonly string[]
  readonly problems: readonly string[]
}

const take = async (text: string, cuts: readonly number[] = [], options?: ElementOptions): Promise<Taken> => {
  const elements = splitElements(chunked(encode(text), cuts), options)
  const texts: string[] = []
  const problems: string[] = []
  for (;;) {
    const next = await elements.next()
    if (next.done === true) return { end: next.value, texts, problems }
    for (const { bytes, problem } of next.value) {
      texts.push(decode(bytes))
      if (problem !== undefined) problems.push(problem)
    }
  }
}

describe('splitElements', () => {
  it('returns the elements of a top-level array unchanged', async () => {
    const { end, texts } = await take(' [ {"a":"],{\\"" , "b":[1,[2]]},\n 3 ,"x\\\\", [] ] ')
    expect(end).toBe('complete')
    expect(texts.map((text): unknown => JSON.parse(text))).toEqual([{ a: '],{"', b: [1, [2]] }, 3, 'x\\', []])
  })

  it('finds a named field of the top-level object, not a nested one or a value of the same name', async () => {
    const text = '{"inner":{"messages":[0]},"name":"messages","list":[9],"messages":[1,{"messages":[2]}],"after":[3]}'
    expect(await take(text, [], { field: 'messages' })).toEqual({
      end: 'complete',
      texts: ['1', '{"messages":[2]}'],
      problems: [],
    })
  })

  it('distinguishes a document without the array from a truncated one', async () => {
    expect((await take('{"a":1}')).end).toBe('no-array')
    expect((await take('"text"')).end).toBe('no-array')
    expect((await take('[]')).end).toBe('complete')
    expect(await take('[1,{"a":')).toEqual({ end: 'open', texts: ['1', '{"a":'], problems: ['open'] })
  })

  it('reports an element over the limit, and continues after it', async () => {
    expect(await take('[1,"0123456789",2]', [5], { maxItemBytes: 8 })).toEqual({
      end: 'complete',
      texts: ['1', '', '2'],
      problems: ['too-long'],
    })
  })

  it('returns the same elements for any chunks and any layout', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ stringUnit: fc.constantFrom('a', '"', '\\', ',', ']', '}', 'é') }), {
          maxLength: 8,
        }),
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.constantFrom(undefined, 2),
        fc.integer({ min: 1, max: 3 }),
        async (values, cuts, indent, batchItems) => {
          const parsed = async (text: string, field?: string) => {
            const { end, texts } = await take(text, cuts, {
              batchItems,
              ...(field === undefined ? {} : { field }),
            })
            return { end, values: texts.map((element): unknown => JSON.parse(element)) }
          }
          const expected = { end: 'complete', values: JSON.parse(JSON.stringify(values)) as unknown }
          expect(await parsed(JSON.stringify(values, null, indent))).toEqual(expected)
          expect(
            await parsed(JSON.stringify({ before: values, a: 'wanted', wanted: values }, null, indent), 'wanted'),
          ).toEqual(expected)
        },
      ),
    )
  })
})

describe('fieldsBeside', () => {
  const text =
    '{"id":"ä","inner":{"messages":[0]},"messages":[{"id":"]}"},[1,"\\"]"]],"after":{"messages":[3]},"list":[4]}'
  const beside = { id: 'ä', inner: { messages: [0] }, messages: [], after: { messages: [3] }, list: [4] }

  it('returns the fields without the elements of the array, wherever chunks end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(200), { maxLength: 12 }), async (cuts) => {
        expect(await fieldsBeside(chunked(encode(text), cuts), 'messages')).toEqual(beside)
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['a document that ends within the array', '{"id":1,"messages":[{"a":', { id: 1, messages: [] }],
    ['a document without the array', '{"id":1,"list":[2]}', { id: 1, list: [2] }],
    ['a document that ends before the array', '{"id":1,"list":[2', {}],
    ['what is no object', '[{"id":1}]', {}],
    ['what is no JSON', 'hello', {}],
    ['fields over 1 MiB', `{"id":"${'x'.repeat(1 << 20)}","messages":[]}`, {}],
  ])('takes %s', async (_what, given, expected) => {
    expect(await fieldsBeside(chunked(encode(given), []), 'messages')).toEqual(expected)
  })
})
