/** Contract of SessionStorage, second part: any text comes back as it was, to the last bit. */
import fc from 'fast-check'
import type { JsonValue } from '../../json.ts'
import type { ContentBlock } from '../../messages.ts'
import { append, facts, message, text } from './fixtures.ts'
import { SLOW_TEST_MS, testsOn, type OpenStore, type TestApi } from './test-api.ts'

const MEGABYTE = 1_000_000

/** Long and hard to compress, the same every time. */
const noise = (length: number, seed = 1): string => {
  let state = seed
  let out = ''
  while (out.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    out += String.fromCharCode(33 + ((state >>> 24) % 200))
  }
  return out
}

/** Texts that have broken stores: encodings, separators, and what a store's own marks may look like. */
const WEIRD_TEXTS: Readonly<Record<string, string>> = {
  empty: '',
  blank: ' \t ',
  NUL: 'a\u0000b',
  'only NUL': '\u0000',
  'lone high surrogate': 'a\ud800b',
  'lone low surrogate': '\udc00',
  'swapped surrogates': '\udc00\ud800',
  'surrogate at the end': 'x\ud83d',
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈',
  'byte order mark': '\ufeffx',
  'composed and decomposed': 'é e\u0301',
  'line ends': 'a\r\nb\rc\nd\u2028e\u2029f\u0085',
  controls: Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join(''),
  'right to left': 'שלום \u202eabc',
  'start mark': '\u0001',
  'marked block': '\u0001{"block":1}',
  'marked hash': `\u0001${'a'.repeat(64)}`,
  'marked placeholder': '\u0001blob:0\u0001\u0001',
  'looks like a reference': '{"$ref":"0123","$block":1}',
  'escaped mark': '\\u0001 \\\\u0000 \\ud800',
  'SQL quotes': `'; DROP TABLE sessions; -- "`,
  'long text': 'lorem ipsum '.repeat(5000),
  'long with a lone surrogate': `${'x'.repeat(50_000)}\ud800${'y'.repeat(50_000)}`,
  'long with NUL and mark': `\u0001${'x'.repeat(50_000)}\u0000${'y'.repeat(50_000)}`,
  'long and starting with a mark': `\u0001${noise(20_000)}`,
  'surrogate pairs across chunks': '😀'.repeat(70_001),
  megabyte: noise(MEGABYTE),
}

/** A block of every type with the text in every place that a text can have. */
const blocksWith = (value: string): readonly ContentBlock[] => [
  text(value),
  { type: 'thinking', text: value, signature: value },
  {
    type: 'tool_call',
    id: 'c1',
    name: 'write',
    input: { path: value, nested: [{ [value]: value }, null, true, -1.5e-7] },
  },
  { type: 'tool_call', id: 'c2', name: 'raw', input: value },
  {
    type: 'tool_result',
    callId: 'c1',
    content: [text(value), { type: 'other', value: [value] }],
    isError: true,
  },
  { type: 'image', mediaType: 'image/png', data: value },
  { type: 'file', path: value, text: value },
  { type: 'other', value: { [value]: [value] } },
]

/** Defines the tests of this contract with the functions in `api`; `open` gives an empty store to each. */
export const runTextContract = (api: TestApi, open: OpenStore): void => {
  const { describe, expect } = api
  const it = testsOn(api, open)

  describe('texts', () => {
    it(
      'round-trip bit for bit, alone and in every kind of block',
      async (store) => {
        const session = facts('s')
        for (const [name, value] of Object.entries(WEIRD_TEXTS)) {
          const content = value.length > 200_000 ? [text(value)] : blocksWith(value)
          const seq = (await append(store, session, { entry: message(name, content) })) - 1
          const [entry] = await store.sessions.read(session.id, { fromSeq: seq, limit: 1 })
          const found = entry?.kind === 'message' ? entry.content : undefined
          // A failing comparison of a megabyte should say which text it was, and not print it.
          expect([name, JSON.stringify(found) === JSON.stringify(content)]).toEqual([name, true])
        }
      },
      SLOW_TEST_MS,
    )

    it(
      'round-trip whatever they are',
      async (store) => {
        let run = 0
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.string({ unit: 'binary', maxLength: 200 }), { maxLength: 5 }),
            fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
            async (texts, units) => {
              const session = facts(`s${(run += 1)}`)
              const entries = [...texts, units].map((value, index) => message(`m${index}`, blocksWith(value)))
              await append(store, session, ...entries.map((entry) => ({ entry })))
              expect(await store.sessions.read(session.id)).toEqual(entries.map((entry, seq) => ({ ...entry, seq })))
            },
          ),
          { numRuns: 25 },
        )
      },
      SLOW_TEST_MS,
    )

    it('keep the keys and numbers of JSON values', async (store) => {
      // Parsed, because an object literal would set its prototype instead.
      const input = JSON.parse(
        '{"__proto__":{"x":1},"constructor":2,"":3,"10":4,"9":5,"toJSON":"no","big":9007199254740991,"tiny":5e-324,"null":null}',
      ) as JsonValue
      await append(store, facts('s'), {
        entry: message('m', [{ type: 'tool_call', id: 'c', name: 't', input }]),
      })
      const [entry] = await store.sessions.read('cairn:s')
      const block = entry?.kind === 'message' ? entry.content[0] : undefined
      expect(JSON.stringify(block?.type === 'tool_call' ? block.input : undefined)).toBe(JSON.stringify(input))
    })

    it(
      'that repeat round-trip each time, in one session and in others',
      async (store) => {
        const file = `// a file that is read again and again\n${noise(30_000)}`
        const nearly = `${file}.`
        const contents = Array.from({ length: 44 }, (_, index) => [
          text(index % 10 === 9 ? nearly : file),
          text(`read ${index}`),
        ])
        const writes = contents.map((content, index) => ({ entry: message(`m${index}`, content) }))
        await append(store, facts('one'), ...writes)
        await append(store, facts('two'), ...writes.slice(0, 2))
        const read = async (id: string) =>
          (await store.sessions.read(id)).map((entry) => (entry.kind === 'message' ? entry.content : []))
        expect(JSON.stringify(await read('cairn:one')) === JSON.stringify(contents)).toBe(true)
        expect(JSON.stringify(await read('cairn:two')) === JSON.stringify(contents.slice(0, 2))).toBe(true)
      },
      SLOW_TEST_MS,
    )

    it('in names and titles never make a write fail', async (store) => {
      for (const [index, odd] of ['a\u0000b', '\ud800', '\u0001x', '😀', `'"\\`, 'x'.repeat(10_000)].entries()) {
        const session = facts(`s${index}`, { title: odd, branch: odd, workspace: `/work/${odd}` })
        const entries = [
          message(`id ${odd}`, odd, { author: odd, model: odd, mode: odd }),
          { kind: 'title' as const, at: null, title: odd },
          { kind: 'file' as const, at: null, path: odd, operation: 'read' as const },
        ]
        await append(store, session, ...entries.map((entry) => ({ entry })))
        expect(await store.sessions.read(session.id)).toEqual(entries.map((entry, seq) => ({ ...entry, seq })))
        expect((await store.sessions.get(session.id))?.entries).toBe(3)
      }
    })
  })
}
