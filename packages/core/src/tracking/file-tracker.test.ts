import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { LogEntry, NewLogEntry } from '../session-log.ts'
import { createFileTracker, filesInContext } from './file-tracker.ts'
import type { FileTracker } from './file-tracker.ts'
import { changed, edit, numbered, read, toolCall } from './log.fixture.ts'

const trackerOf = (entries: readonly LogEntry[]): FileTracker => {
  const tracker = createFileTracker({ workspace: '/w' })
  for (const entry of entries) tracker.step(entry)
  return tracker
}
const stateAfter = (...entries: readonly (NewLogEntry | readonly NewLogEntry[])[]) =>
  trackerOf(numbered(entries.flat())).file('a.ts')

describe('a file in context', () => {
  const entries = numbered([
    ...read(100, 'a.ts'),
    changed(200, 'a.ts', 'person'),
    ...read(300, './a.ts'),
    ...edit(400, '/w/a.ts'),
  ])

  it('has a record for each thing that happened, of which the newest says its state', () => {
    expect(trackerOf(entries).files()).toEqual([
      {
        path: 'a.ts',
        state: 'active',
        source: 'edit',
        sources: ['read', 'external-edit', 'edit'],
        readAt: 300,
        editAt: 400,
        mentionAt: null,
        externalEditAt: 200,
        changedBy: null,
        history: [
          { seq: 0, at: 100, source: 'read', state: 'stale' },
          { seq: 2, at: 200, source: 'external-edit', by: 'person', state: 'stale' },
          { seq: 3, at: 300, source: 'read', state: 'stale' },
          { seq: 5, at: 400, source: 'edit', state: 'active' },
        ],
        olderRecords: 0,
      },
    ])
  })

  it('is among those edited after a time only when an edit is later than that', () => {
    const tracker = trackerOf(numbered([...entries, ...edit(150, 'b.ts')]))
    expect(tracker.editedAfter(399)).toEqual(['a.ts'])
    expect(tracker.editedAfter(400)).toEqual([])
    expect(tracker.editedAfter(149)).toEqual(['a.ts', 'b.ts'])
  })

  it('is stale from a change by somebody else until it is read or edited again', () => {
    const stale = stateAfter(read(1, 'a.ts'), changed(2, '/w/a.ts', 'git'))
    expect(stale).toMatchObject({ state: 'stale', source: 'external-edit', changedBy: { by: 'git', at: 2 } })
    expect(stateAfter(read(1, 'a.ts'), changed(2, 'a.ts'), read(3, 'a.ts'))?.state).toBe('active')
    expect(stateAfter(read(1, 'a.ts'), changed(2, 'a.ts'), edit(3, 'a.ts'))?.state).toBe('active')
  })

  it('is stale when a subagent edited it, and not in context when only a subagent read it', () => {
    const edited = toolCall(2, 'Write', { file_path: 'a.ts', content: 'x' }, { subagent: 's' })
    expect(stateAfter(read(1, 'a.ts'), edited)).toMatchObject({ state: 'stale', changedBy: { by: 'subagent' } })
    expect(stateAfter(toolCall(1, 'Read', { file_path: 'a.ts' }, { subagent: 's' }))?.state).toBe('removed')
  })

  it('is removed when its content left the view: truncated, compacted, replaced', () => {
    const first = read(1, 'a.ts')
    expect(stateAfter(first, { kind: 'truncation', at: 2, fromSeq: 0, toSeq: 1, reason: 'window' })?.state).toBe(
      'removed',
    )
    expect(stateAfter(first, { kind: 'compaction', at: 2, trigger: 'auto' })?.state).toBe('removed')
    const change = { seq: 1, block: 0, why: 'superseded', text: 'see below' }
    const rewrite = { kind: 'rewrite', at: 2, policy: 'p', trigger: 'window', changes: [change] } as const
    expect(stateAfter(first, rewrite)?.state).toBe('removed')
    expect(stateAfter(first, rewrite, read(3, 'a.ts'))?.history.map(({ state }) => state)).toEqual([
      'removed',
      'active',
    ])
  })

  it('is stale when an edit was taken back from the conversation, as the disk still has it; dates stay', () => {
    const file = stateAfter(read(1, 'a.ts'), edit(5, 'a.ts'), { kind: 'rewind', at: 6, toSeq: 1 })
    expect(file).toMatchObject({ state: 'stale', editAt: 5, changedBy: { source: 'edit', at: 5 } })
  })

  it('is not touched by a call that failed, nor by one without a result', () => {
    expect(stateAfter(toolCall(1, 'Read', { file_path: 'a.ts' }, { isError: true }))).toBeUndefined()
    expect(stateAfter(...read(1, 'a.ts').slice(0, 1))).toBeUndefined()
  })

  it('is in context when the user attached it', () => {
    const message: NewLogEntry = {
      kind: 'message',
      at: 3,
      id: 'u',
      role: 'user',
      content: [{ type: 'file', path: '/w/a.ts', text: 'x' }],
    }
    expect(stateAfter(message)).toMatchObject({ state: 'active', source: 'mention', mentionAt: 3 })
  })

  it('counts once what a message and a record beside it tell', () => {
    const told = { kind: 'file', at: 1, path: 'a.ts', operation: 'edit' } as const
    const message: NewLogEntry = {
      kind: 'message',
      at: 1,
      id: 'g',
      role: 'assistant',
      content: [{ type: 'other', value: { tool: { name: 'x', kind: 'edit', path: 'a.ts' } } }],
    }
    expect(stateAfter(message, told)?.history).toHaveLength(1)
    expect(stateAfter({ kind: 'notice', at: 1, level: 'info', text: 'n' }, told)?.history).toHaveLength(1)
  })

  it('keeps its newest records and the old read that is still in view, and counts the others', () => {
    const tracker = createFileTracker({ recordsKept: 5 })
    const entries = numbered([
      ...read(1, 'a.ts'),
      ...Array.from({ length: 40 }, (_, index) => edit(index + 2, 'a.ts')).flat(),
      ...Array.from({ length: 30 }, (_, index) => changed(100 + index, 'a.ts')),
      { kind: 'truncation', at: 200, fromSeq: 2, toSeq: 400, reason: 'window' },
    ])
    for (const entry of entries) tracker.step(entry)
    const file = tracker.file('a.ts')
    expect(file?.history.map(({ at }) => at)).toEqual([125, 126, 127, 128, 129])
    expect(file).toMatchObject({ state: 'stale', olderRecords: 66, readAt: 1, editAt: 41, externalEditAt: 129 })
  })
})

const someEntry = fc.oneof(
  fc
    .record({ at: fc.nat(1000), path: fc.constantFrom('a.ts', './a.ts', '/w/b.ts', 'b.ts', 'dir/c.ts') })
    .chain(({ at, path }): fc.Arbitrary<readonly NewLogEntry[]> =>
      fc.constantFrom<readonly NewLogEntry[]>(
        read(at, path),
        edit(at, path),
        [changed(at, path)],
        toolCall(at, 'Read', { file_path: path }, { isError: true }),
        toolCall(at, 'Write', { file_path: path, content: '' }, { subagent: 's' }),
      ),
    ),
  fc.nat(30).map((toSeq): readonly NewLogEntry[] => [{ kind: 'rewind', at: 1, toSeq }]),
  fc
    .tuple(fc.nat(30), fc.nat(10))
    .map(([fromSeq, count]): readonly NewLogEntry[] => [
      { kind: 'truncation', at: 1, fromSeq, toSeq: fromSeq + count, reason: 'window' },
    ]),
  fc.constant<readonly NewLogEntry[]>([{ kind: 'compaction', at: 1, trigger: 'auto' }]),
)
const someLog = fc.array(someEntry, { maxLength: 25 }).map((parts) => numbered(parts.flat()))

describe('a file tracker', () => {
  it('says after each entry what a fold from the beginning says', () => {
    fc.assert(
      fc.property(someLog, (entries) => {
        const tracker = createFileTracker({ workspace: '/w' })
        for (const [index, entry] of entries.entries()) {
          tracker.step(entry)
          expect(tracker.files()).toEqual(filesInContext(entries.slice(0, index + 1), { workspace: '/w' }))
        }
      }),
      { numRuns: 150 },
    )
  })

  it('gives in a limited view the beginning of the full one', () => {
    fc.assert(
      fc.property(someLog, fc.nat(4), fc.nat(2), (entries, limit, which) => {
        const tracker = trackerOf(entries)
        const state = (['active', 'stale', 'removed'] as const)[which] ?? 'active'
        expect(tracker.files({ limit })).toEqual(tracker.files().slice(0, limit))
        const all = tracker.files().filter((file) => file.state === state)
        expect(tracker.files({ states: [state], limit })).toEqual(all.slice(0, limit))
        for (const file of tracker.files()) expect(tracker.file(file.path)).toEqual(file)
      }),
    )
  })

  it('keeps with few records the state and dates that it has with all, and counts what it dropped', () => {
    fc.assert(
      fc.property(someLog, (entries) => {
        const all = filesInContext(entries, { workspace: '/w' })
        const few = filesInContext(entries, { workspace: '/w', recordsKept: 2 })
        const facts = (files: typeof all) =>
          files.map(({ path, state, readAt, editAt, externalEditAt, sources }) => ({
            path,
            state,
            readAt,
            editAt,
            externalEditAt,
            sources,
          }))
        expect(facts(few)).toEqual(facts(all))
        for (const [index, file] of few.entries())
          expect(file.history.length + file.olderRecords).toBe(all[index]?.history.length)
      }),
    )
  })
})
