/** What the agent does to its own list of messages: compresses it, takes it back, rewrites it. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { JsonValue } from '../json.ts'
import { modelHistory } from '../session/model-history.ts'
import { createWorkbench, type Workbench } from '../testing/import-workbench.ts'
import { parseAll, parserOf, writesOf } from '../testing/parse-lines.ts'
import {
  CHAT,
  PATH,
  at,
  functionResponse,
  handedOver,
  header,
  linesOf,
  listOf,
  reply,
  rows,
  surroundings,
  toolCall,
  user,
} from './gemini.fixture.ts'
import { geminiImporter } from './gemini.ts'

const SESSION = `gemini:${CHAT}`

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

/** Roles and ids of the session's messages, in order. */
const messages = async (): Promise<readonly string[]> =>
  (await bench.store.sessions.read(SESSION)).flatMap((entry) =>
    entry.kind === 'message' ? [`${entry.role} ${entry.id}`] : [],
  )
const inSight = async (): Promise<readonly string[]> =>
  modelHistory(await bench.store.sessions.read(SESSION)).flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'text' ? [block.text] : [block.type])),
  )

describe('a chat that the agent compressed', () => {
  /** The messages that stay have new ids. */
  const compressed = [
    ...rows,
    user('u3', 10, 'Mend it'),
    reply('r3', 11, 'Mended.'),
    { $set: { sessionId: CHAT } },
    listOf(
      12,
      surroundings(12),
      user('n1', 12, '<state_snapshot>They read a.txt.</state_snapshot>'),
      {
        id: 'n2',
        timestamp: at(12),
        type: 'gemini',
        content: [{ text: 'Got it. Thanks for the additional context!' }],
      },
      user('n3', 12, 'Mend it'),
      { id: 'n4', timestamp: at(12), type: 'gemini', content: [{ text: 'Mended.' }] },
    ),
    user('u4', 13, 'Thanks'),
  ]

  it('has the summary, and sees what was kept, which is not repeated', async () => {
    bench.write(PATH, linesOf(compressed))
    await bench.import()
    expect((await messages()).slice(5)).toEqual(['user u3', 'assistant r3', 'user n1', 'assistant n2', 'user u4'])
    const log = await bench.store.sessions.read(SESSION)
    expect(log.filter(({ kind }) => kind === 'compaction')).toMatchObject([
      { trigger: 'unknown', at: Date.parse(at(12)), kept: ['d04923d38bb0f6017037e74183378ef4', 'u3', 'r3'] },
    ])
    expect(log).toContainEqual(expect.objectContaining({ id: 'n1', origin: 'summary' }))
    const seen = await inSight()
    expect(seen).toEqual(
      expect.arrayContaining(['Mend it', 'Mended.', '<state_snapshot>They read a.txt.</state_snapshot>']),
    )
    expect(seen).not.toContain('It says alpha.')
    expect(seen).not.toContain('tool_call')
  })

  it('is gone on with under the new ids without a repetition', async () => {
    const again = compressed.slice(-2, -1).map((row) => JSON.parse(JSON.stringify(row)) as object)
    bench.write(PATH, linesOf([...compressed, header({ startTime: at(30) }), listOf(30, surroundings(30)), ...again]))
    await bench.import()
    expect(await messages()).toHaveLength(10)
    const log = await bench.store.sessions.read(SESSION)
    expect(log.filter(({ kind }) => kind === 'compaction')).toHaveLength(1)
  })
})

describe('a chat that was taken back', () => {
  it.each([
    ['by its user', { $rewindTo: 'u3' }],
    ['by the agent, as a request failed', listOf(12, surroundings(12), ...rows.filter((row) => 'id' in row))],
  ])('%s is seen as far as it stands', async (_who, row) => {
    bench.write(
      PATH,
      linesOf([...rows, user('u3', 10, 'Break it'), reply('r3', 11, 'Broken.'), row, user('u4', 13, 'Mend it')]),
    )
    await bench.import()
    expect(await messages()).toHaveLength(8)
    const seen = await inSight()
    expect(seen).toEqual(
      expect.arrayContaining(['What does a.txt say?', 'It says alpha.', 'tool_call', 'tool_result', 'Mend it']),
    )
    expect(seen).not.toContain('Break it')
    expect(seen).not.toContain('Broken.')
    const log = await bench.store.sessions.read(SESSION)
    expect(log.filter(({ kind }) => kind === 'compaction')).toMatchObject([{ trigger: 'rewind' }])
  })
})

describe('however a chat is cut into imports', () => {
  const row = fc.oneof(
    fc
      .tuple(fc.constantFrom('u1', 'u2', 'u3', 'u4'), fc.constantFrom('go on', 'Mend it', 'Why?'))
      .map(([id, text]) => user(id, 1, text)),
    fc
      .tuple(
        fc.constantFrom('r1', 'r2', 'r3'),
        fc.constantFrom('', 'Done.', 'Mended.'),
        fc.subarray(['c1', 'c2', 'c3']),
      )
      .map(([id, text, calls]) =>
        reply(id, 2, text, { toolCalls: calls.map((call) => toolCall(call, 3, 'glob', {}, `found by ${call}`)) }),
      ),
    fc
      .constantFrom('c1', 'c2', 'c3')
      .map((call) => handedOver(`h-${call}`, 4, functionResponse(call, 'glob', 'found'))),
    fc.constantFrom('u1', 'u3', 'r2').map((id) => ({ $rewindTo: id })),
    fc
      .subarray([user('u1', 5, 'go on'), user('n1', 5, 'Mend it'), user('n2', 5, 'A summary')])
      .map((messages_) => listOf(6, ...messages_)),
    fc.constant(header()),
  )

  it('gives the same entries', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 14 }), fc.array(fc.nat(14)), (given, cuts) => {
        const path = `/home/me/${PATH}`
        const whole = writesOf(parseAll(parserOf(geminiImporter, path), given))
        const cutAt = new Set(cuts)
        let parser = parserOf(geminiImporter, path)
        const pieces = given.flatMap((value, index) => {
          if (cutAt.has(index))
            parser = parserOf(geminiImporter, path, { state: JSON.parse(JSON.stringify(parser.state())) as JsonValue })
          return writesOf(parseAll(parser, [value], index + 1))
        })
        expect(pieces).toEqual(whole)
      }),
      { numRuns: 300 },
    )
  })
})
