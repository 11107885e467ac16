import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { frozen } from '../../messages/messages.fixture.ts'
import { deduplicateFileReads, findDuplicateReads } from './deduplicate.ts'
import {
  EDIT_KINDS,
  applyEdits,
  editsOfDuplicates,
  recordEdits,
  restoreEdits,
  rollbackTo,
  serializeEdits,
  type EditHistory,
  type SerializedEdits,
} from './edit-history.ts'

const file: SerializedEdits = [
  [
    1,
    [
      2,
      [
        [
          0,
          [
            [100, 'text', ['first'], [['a'], ['a', 'b']]],
            [200, 'text', ['second'], [['a'], ['a', 'b']]],
          ],
        ],
      ],
    ],
  ],
  [4, [4, [[1, [[200, 'text', ['other'], []]]]]]],
]
const records = fc.array(
  fc.record({
    message: fc.nat(5),
    block: fc.nat(2),
    kind: fc.nat(4),
    at: fc.nat(20),
    text: fc.string(),
    metadata: fc.constantFrom([], {}, [['a'], ['a', 'b']]),
  }),
  { maxLength: 12 },
)

describe('edit history', () => {
  it('an edit at time t survives a rewind to t and is gone after a rewind to t−1, in both formats', () => {
    const { edits } = restoreEdits(file)
    expect(rollbackTo(frozen(file), 200)).toEqual(file)
    expect(rollbackTo(file, 199)).toEqual([[1, [2, [[0, [[100, 'text', ['first'], [['a'], ['a', 'b']]]]]]]]])
    expect(rollbackTo(file, 99)).toEqual([])
    const rolled = rollbackTo(edits, 199)
    expect(rolled).toBeInstanceOf(Map)
    expect(serializeEdits(rolled)).toEqual(rollbackTo(file, 199))
    expect(serializeEdits(edits)).toEqual(file)
  })

  it('after a rollback no metadata is shared, and the file is deduplicated again', () => {
    const { edits } = restoreEdits(file)
    const metadata = (of: EditHistory) => of.get(1)?.[1].get(0)?.[0]?.[3]
    expect(metadata(rollbackTo(edits, 100))).toEqual(metadata(edits))
    expect(metadata(rollbackTo(edits, 100))).not.toBe(metadata(edits))

    const text = 'a line of the file\n'.repeat(30)
    const mention = { role: 'user', content: [{ type: 'text', text: `<file_content path="a">${text}</file_content>` }] }
    const messages = frozen([mention, { role: 'assistant', content: 'ok' }, mention])
    const found = findDuplicateReads(messages)
    const written = recordEdits(new Map(), editsOfDuplicates(found, 300))
    expect(written.get(0)?.[0]).toBe(EDIT_KINDS.fileMention)
    const rolled = rollbackTo(written, 299)
    expect(rolled.size).toBe(0)
    expect(written.size).toBe(1)
    expect(findDuplicateReads(applyEdits(messages, rolled)).duplicates).toEqual(found.duplicates)
    expect(findDuplicateReads(applyEdits(messages, written)).duplicates).toEqual([])
  })

  it('applies the latest update of each block, whatever the order, and nothing else', () => {
    const messages = frozen([
      { role: 'user', content: 'task' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'long' }] },
    ])
    const applied = applyEdits(messages, [
      [0, [1, [[0, [[5, 'text', ['short task'], []]]]]]],
      [
        1,
        [
          1,
          [
            [
              1,
              [
                [9, 'text', ['late'], []],
                [3, 'text', ['early'], []],
              ],
            ],
            [7, [[1, 'text', ['nowhere'], []]]],
          ],
        ],
      ],
      [2, [2, [[0, [[1, 'text', ['notice'], []]]]]]],
      [99, [2, [[0, [[1, 'text', ['nowhere'], []]]]]]],
    ])
    expect(applied).toEqual([
      { role: 'user', content: 'short task' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'late' },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'notice' }] },
    ])
    expect(applyEdits(messages, new Map())[1]).toBe(messages[1])
  })

  it('looks only at the messages that are edited', () => {
    let looked = 0
    const messages = Array.from({ length: 1000 }, () => ({
      role: 'user',
      get content() {
        looked += 1
        return 'text'
      },
    }))
    applyEdits(messages, [[500, [1, [[0, [[1, 'text', ['x'], []]]]]]]])
    expect(looked).toBeLessThan(10)
  })

  it('recording does not change the previous history', () => {
    const { edits } = restoreEdits(file)
    const before = serializeEdits(edits)
    const after = recordEdits(edits, [{ message: 1, block: 0, kind: 2, at: 300, text: 'third' }])
    expect(serializeEdits(edits)).toEqual(before)
    expect(after.get(1)?.[1].get(0)).toHaveLength(3)
    expect(after.get(4)).toBe(edits.get(4))
  })

  it('reads the sound parts of a damaged file, and names the rest', () => {
    const { edits, skipped } = restoreEdits([
      ...file,
      null,
      [-1, [0, []]],
      [
        6,
        [
          1,
          [
            [
              0,
              [
                [1, 'text', ['kept'], []],
                ['when', 'text', ['x'], []],
                [2, 'text', [7], []],
              ],
            ],
            'no block',
          ],
        ],
      ],
    ])
    expect([...edits.keys()]).toEqual([1, 4, 6])
    expect(edits.get(6)?.[1].get(0)).toEqual([[1, 'text', ['kept'], []]])
    expect(skipped.map(({ where }) => where)).toEqual(['[2]', '[3]', '[4][0][1]', '[4][0][2]', '[4][1]'])
    expect(restoreEdits('{"half').skipped).toEqual([{ where: '', reason: 'the edit history is no array' }])
    expect(restoreEdits(JSON.stringify(file))).toEqual({ edits: restoreEdits(file).edits, skipped: [] })
  })

  it('refuses an invalid history or time', () => {
    expect(() => rollbackTo({} as unknown as EditHistory, 1)).toThrow(
      "The edit history can't be used: the edit history is no array.",
    )
    expect(() => rollbackTo(file, Number.NaN)).toThrow('rollbackTo needs a time in milliseconds.')
  })

  it('property: serialising and restoring, and a rollback equals what was recorded until then', () => {
    fc.assert(
      fc.property(records, fc.nat(20), (list, time) => {
        const edits = recordEdits(new Map(), list)
        expect(restoreEdits(serializeEdits(edits))).toEqual({
          edits: new Map([...edits].sort(([a], [b]) => a - b)),
          skipped: [],
        })
        const rolled = rollbackTo(edits, time)
        const until = recordEdits(
          new Map(),
          list.filter(({ at }) => at <= time),
        )
        const updates = (of: EditHistory) => serializeEdits(of).map(([message, [, blocks]]) => [message, blocks])
        expect(updates(rolled)).toEqual(updates(until))
        expect(rollbackTo(rolled, time)).toEqual(rolled)
        expect(rollbackTo(serializeEdits(edits), time)).toEqual(serializeEdits(rolled))
      }),
    )
  })

  it('applying the recorded edits gives the deduplicated messages', () => {
    const text = 'x'.repeat(500)
    const messages = [
      { role: 'user', content: `<file_content path="a">${text}</file_content>` },
      {
        role: 'user',
        content: [
          { type: 'text', text: "[read_file for 'a'] Result:" },
          { type: 'text', text },
        ],
      },
    ]
    const edits = recordEdits(new Map(), editsOfDuplicates(findDuplicateReads(messages), 1))
    expect(applyEdits(messages, edits)).toEqual(deduplicateFileReads(messages).messages)
  })
})
