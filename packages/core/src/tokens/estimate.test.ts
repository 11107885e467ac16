import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { JsonValue } from '../json.ts'
import type { ContentBlock, ImageBlock, Message } from '../messages.ts'
import { contentCharacters, requestCharacters, toolCharacters } from './content-characters.ts'
import { IMAGE_TOKENS, MESSAGE_OVERHEAD_TOKENS, attachmentTokens, estimateTokens } from './estimate.ts'
import { imageSize } from './image-size.ts'

const base64 = (bytes: readonly number[]): string =>
  Buffer.from([...bytes, ...new Array<number>(32).fill(0)]).toString('base64')
const ascii = (text: string): number[] => [...Buffer.from(text, 'latin1')]
const png = (width: number, height: number): string => {
  const head = Buffer.alloc(24)
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  head.set([0x89, ...ascii('PNG')], 0)
  return base64([...head])
}
const image = (data: string): ImageBlock => ({ type: 'image', mediaType: 'image/png', data })

const json = fc.jsonValue().map((value) => value as JsonValue)
const flat: fc.Arbitrary<ContentBlock> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string({ unit: 'binary' }) }),
  fc.record({ type: fc.constant('thinking' as const), text: fc.string() }),
  fc.record({ type: fc.constant('tool_call' as const), id: fc.string(), name: fc.string(), input: json }),
  fc.record({ type: fc.constant('file' as const), path: fc.string(), text: fc.string() }),
  fc.record({ type: fc.constant('other' as const), value: json }),
  fc.constant(image('AAAA')),
)
const results = fc.record({
  type: fc.constant('tool_result' as const),
  callId: fc.string(),
  content: fc.array(
    fc.oneof(fc.record({ type: fc.constant('text' as const), text: fc.string() }), fc.constant(image('AAAA'))),
  ),
})
const block: fc.Arbitrary<ContentBlock> = fc.oneof(flat, results)
const message: fc.Arbitrary<Message> = fc.record({
  role: fc.constantFrom('user' as const, 'assistant' as const),
  content: fc.array(block),
})

describe('estimated tokens', () => {
  it('are characters divided by the ratio, rounded up', () => {
    expect(['', 'a', 'abc', 'x'.repeat(270), 'x'.repeat(271)].map((text) => estimateTokens(text))).toEqual([
      0, 1, 2, 100, 101,
    ])
    expect(estimateTokens('x'.repeat(1000), { charsPerToken: 2.5 })).toBe(400)
    expect(estimateTokens('x'.repeat(1001), { charsPerToken: 4 })).toBe(251)
    // A pair of surrogates is two characters, whole or cut.
    expect(['😀'.repeat(27), '\ud83d'].map((text) => estimateTokens(text))).toEqual([20, 1])
  })

  it('refuse an invalid ratio', () => {
    for (const charsPerToken of [0, -1, Number.NaN, Infinity])
      expect(() => estimateTokens('a', { charsPerToken })).toThrow(expect.objectContaining({ code: 'invalid-input' }))
  })

  it('add up: a list is the sum of its messages, a message that of its blocks and its overhead', () => {
    fc.assert(
      fc.property(fc.array(message), fc.array(message), (left, right) => {
        const total = estimateTokens([...left, ...right])
        expect(total).toBe(estimateTokens(left) + estimateTokens(right))
        expect(total).toBe(
          left.concat(right).reduce((sum, { content }) => sum + MESSAGE_OVERHEAD_TOKENS + estimateTokens(content), 0),
        )
        expect(Number.isSafeInteger(total)).toBe(true)
      }),
    )
  })

  it('never shrink when text is added, nor exceed the sum for both texts', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.double({ min: 1.5, max: 5, noNaN: true }),
        (left, right, charsPerToken) => {
          const whole = estimateTokens(left + right, { charsPerToken })
          expect(whole).toBeGreaterThanOrEqual(
            Math.max(estimateTokens(left, { charsPerToken }), estimateTokens(right, { charsPerToken })),
          )
          expect(whole).toBeLessThanOrEqual(
            estimateTokens(left, { charsPerToken }) + estimateTokens(right, { charsPerToken }),
          )
        },
      ),
    )
  })

  it("count a tool call as its name and its input's JSON", () => {
    fc.assert(
      fc.property(fc.string(), json, (name, input) => {
        const written = typeof input === 'string' ? input : JSON.stringify(input)
        expect(contentCharacters({ type: 'tool_call', id: 'x'.repeat(99), name, input })).toBe(
          name.length + written.length,
        )
      }),
    )
    const call: ContentBlock = { type: 'tool_call', id: '1', name: 'read', input: { path: 'a.ts' } }
    expect([contentCharacters(call), estimateTokens(call)]).toEqual([19, 8])
    expect(contentCharacters({ type: 'tool_call', id: '1', name: 'read', input: '{"path":' })).toBe(12)
  })

  it('serialise an input once, however often it is measured', () => {
    let reads = 0
    const input = Object.defineProperty({}, 'content', {
      enumerable: true,
      get: () => ((reads += 1), 'x'.repeat(100)),
    })
    const call: ContentBlock = { type: 'tool_call', id: '1', name: 'write', input }
    expect([estimateTokens(call), estimateTokens([call, call]), reads]).toEqual([45, 90, 1])
  })

  it('use a tokenizer where there is one', () => {
    const asked: string[] = []
    const tokenizer = {
      exact: true,
      count: (text: string, model: string) => (asked.push(`${model}:${text}`), text.length),
    }
    const content: ContentBlock[] = [
      { type: 'text', text: 'ab' },
      { type: 'tool_call', id: '1', name: 'read', input: { p: 1 } },
      { type: 'tool_result', callId: '1', content: [{ type: 'text', text: 'xyz' }, image('AAAA')] },
    ]
    expect(estimateTokens({ role: 'user', content }, { tokenizer, model: 'm' })).toBe(
      MESSAGE_OVERHEAD_TOKENS + 2 + 4 + 7 + 3 + IMAGE_TOKENS,
    )
    expect(asked).toEqual(['m:ab', 'm:read', 'm:{"p":1}', 'm:xyz'])
  })
})

describe('images', () => {
  it('are never counted by the length of their base64', () => {
    const data = 'A'.repeat(4_000_000)
    const blocks: ContentBlock[] = [
      image(data),
      { type: 'tool_result', callId: '1', content: [image(data)] },
      { type: 'image', mediaType: 'image/png', url: `https://example.org/${data}` },
    ]
    for (const part of blocks) expect([contentCharacters(part), estimateTokens(part)]).toEqual([0, IMAGE_TOKENS])
    const other: ContentBlock = {
      type: 'other',
      value: { type: 'document', source: { data, again: `data:application/pdf;base64,${data}` } },
    }
    expect(contentCharacters(other)).toBeLessThan(100)
    expect(estimateTokens(other)).toBe(2 * IMAGE_TOKENS + Math.ceil(contentCharacters(other) / 2.7))
    // What a tool writes is text, whatever it looks like: the model made each of these tokens.
    expect(contentCharacters({ type: 'tool_call', id: '1', name: '', input: { data: 'A'.repeat(5000) } })).toBe(5011)
    expect(attachmentTokens([{ role: 'user', content: [...blocks, other] }])).toBe(5 * IMAGE_TOKENS)
  })

  it("are width × height / 750 where the size can be read, up to the model's maximum", () => {
    expect(estimateTokens(image(png(750, 300)))).toBe(300)
    expect(estimateTokens(image(png(1, 1)))).toBe(1)
    expect(estimateTokens(image(png(4000, 3000)))).toBe(IMAGE_TOKENS)
    expect(estimateTokens(image(png(1920, 1080)), { maxImageTokens: 4800 })).toBe(2765)
    expect(estimateTokens(image(png(0, 300)))).toBe(IMAGE_TOKENS)
  })

  it('are measured in four formats', () => {
    const gif = base64([...ascii('GIF89a'), 0x40, 0x01, 0xf0, 0x00])
    const jpeg = base64([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc2, 0, 17, 8, 0x01, 0x2c, 0x02, 0x58])
    const webp = (kind: string, rest: number[]): string =>
      base64([...ascii('RIFF'), 0, 0, 0, 0, ...ascii('WEBP'), ...ascii(kind), 0, 0, 0, 0, ...rest])
    expect([
      imageSize(gif),
      imageSize(jpeg),
      imageSize(webp('VP8X', [0, 0, 0, 0, 0x3f, 0x01, 0, 0xef, 0, 0])),
      imageSize(webp('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 0x40, 0x01, 0xf0, 0])),
      imageSize(webp('VP8L', [0x2f, 0x3f, 0xc1, 0x3b, 0])),
    ]).toEqual([
      { width: 320, height: 240 },
      { width: 600, height: 300 },
      { width: 320, height: 240 },
      { width: 320, height: 240 },
      { width: 320, height: 240 },
    ])
  })

  it('of arbitrary bytes have a size or none', () => {
    const starts = [
      [],
      [0xff, 0xd8, 0xff],
      ascii('GIF8'),
      [0x89, ...ascii('PNG')],
      [...ascii('RIFF'), 0, 0, 0, 0, ...ascii('WEBPVP8L')],
    ]
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.array(fc.nat(255), { maxLength: 200 }), (start, rest) => {
        const size = imageSize(Buffer.from([...start, ...rest]).toString('base64'))
        expect(size === undefined || (size.width > 0 && size.height > 0)).toBe(true)
      }),
    )
    expect(imageSize('not base64 at all, but long enough to look into it')).toBeUndefined()
  })
})

describe('characters of a request', () => {
  it('are those of system prompt, messages and tools', () => {
    const tool = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }
    expect(toolCharacters(tool)).toBe(4 + 6 + 17)
    expect(estimateTokens(tool)).toBe(10)
    const messages: Message[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hello' },
          { type: 'file', path: 'a.ts', text: 'x' },
        ],
      },
    ]
    expect(requestCharacters({ system: 'Be kind.', messages, tools: [tool] })).toBe(8 + 5 + 5 + 27)
    expect(requestCharacters({ messages: [] })).toBe(0)
  })
})

describe('blocks in the form of an API', () => {
  it("are estimated like those of the log's format", () => {
    const call = { type: 'tool_call', id: 'a', name: 'Read', input: { path: 'x' } } as const
    expect(estimateTokens({ type: 'tool_use', id: 'a', name: 'Read', input: { path: 'x' } } as never)).toBe(
      estimateTokens(call),
    )
    expect(estimateTokens({ role: 'user', content: 'hello world' } as never)).toBe(
      estimateTokens({ role: 'user', content: [{ type: 'text', text: 'hello world' }] }),
    )
    expect(estimateTokens({ type: 'tool_result', tool_use_id: 'a', content: 'x'.repeat(270) } as never)).toBe(100)
  })

  it.each([null, 5, {}])('and %j is refused in one sentence', (value) => {
    expect(() => estimateTokens(value as never)).toThrow(/^Tokens are estimated of texts, blocks, messages and tools/)
  })
})
