import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { agent, summary, summaryOf, tool, user } from './conversation.fixture.ts'
import { mergeSummaries } from './merge-summaries.ts'
import { renderThreadSummary } from './render-summary.ts'
import { SUMMARY_LIMITS, emptySummary, type ThreadSummary } from './thread-summary.ts'

const merged = (...summaries: readonly ThreadSummary[]): ThreadSummary => summaries.reduce(mergeSummaries, emptySummary)
const range = (length: number): readonly number[] => Array.from({ length }, (_, index) => index)

describe('mergeSummaries', () => {
  it('is associative', () => {
    fc.assert(
      fc.property(summary, summary, summary, (a, b, c) =>
        expect(mergeSummaries(mergeSummaries(a, b), c)).toEqual(mergeSummaries(a, mergeSummaries(b, c))),
      ),
      { numRuns: 150 },
    )
  })

  it('has an identity element', () => {
    fc.assert(
      fc.property(summary, (a) => {
        expect(mergeSummaries(a, emptySummary)).toEqual(a)
        expect(mergeSummaries(emptySummary, a)).toEqual(a)
      }),
      { numRuns: 50 },
    )
  })

  it('stays bounded after any number of merges, and does not mutate its arguments', () => {
    fc.assert(
      fc.property(fc.array(summary, { maxLength: 12, size: 'max' }), (summaries) => {
        const before = JSON.stringify(summaries)
        const { exchanges, requests, commits, filesEdited, filesRead, decisions, tools } = merged(...summaries)
        expect(exchanges.items.length).toBeLessThanOrEqual(5)
        expect(requests.items.length).toBeLessThanOrEqual(7)
        expect(commits.items.length).toBeLessThanOrEqual(15)
        expect(filesEdited.items.length).toBeLessThanOrEqual(30)
        expect(filesRead.items.length).toBeLessThanOrEqual(30)
        expect(decisions.items.length).toBeLessThanOrEqual(3)
        expect(tools.counts.length).toBeLessThanOrEqual(200)
        expect(JSON.stringify(summaries)).toBe(before)
      }),
      { numRuns: 30 },
    )
  })

  it('sums what was dropped: nothing disappears uncounted', () => {
    const parts = range(40).map((number) =>
      summaryOf(
        agent(`Question ${number}?`),
        user(`request ${number}`),
        ...tool('Edit', { file_path: `f${number}` }),
        ...tool('Bash', { command: 'git commit' }, `[main ${(0xabc0000 + number).toString(16)}] c${number}`),
      ),
    )
    const { requests, exchanges, decisions, filesEdited, commits, tools } = merged(...parts)
    expect([requests.dropped, exchanges.dropped, decisions.dropped, filesEdited.dropped, commits.dropped]).toEqual([
      32, 35, 37, 10, 25,
    ])
    expect(tools.counts).toEqual([
      { name: 'Bash', calls: 40 },
      { name: 'Edit', calls: 40 },
    ])
  })

  it('counts calls of tools beyond the limit of listed names', () => {
    const parts = range(SUMMARY_LIMITS.tools + 50).map((number) =>
      summaryOf(...tool(`tool-${String(number).padStart(3, '0')}`, {})),
    )
    const { tools } = merged(...parts)
    expect(tools.counts).toHaveLength(SUMMARY_LIMITS.tools)
    expect(tools.otherCalls).toBe(50)
  })
})

describe('many merges', () => {
  const parts = range(13).map((number) =>
    summaryOf(
      user(`request ${number}`),
      agent(`Files created or modified:\n- not/a/file-${number}.ts\nabcdef${number % 10} no commit`),
      ...tool('Read', { file_path: `read-${number}.ts` }),
      ...tool('Edit', { file_path: `edit-${number}.ts` }),
    ),
  )

  it('the original request survives twelve merges', () => {
    expect(merged(...parts).originalRequest?.text).toBe('request 0')
    expect(renderThreadSummary(merged(...parts))).toContain('- Original: request 0')
  })

  it('text of other sections never becomes a file, a commit or a request', () => {
    const all = merged(...parts)
    expect(all.commits.items).toEqual([])
    expect(all.filesEdited.items.map(({ path }) => path)).toEqual(range(13).map((number) => `edit-${12 - number}.ts`))
    expect(all.requests.items.map(({ text }) => text)).toEqual(range(7).map((number) => `request ${number + 6}`))
  })

  it('a file of the first message stays as long as the limit allows, edited files before read ones', () => {
    const first = summaryOf(...tool('Edit', { file_path: 'first.ts' }))
    const reads = range(100).map((number) => summaryOf(...tool('Read', { file_path: `r${number}` })))
    const edits = range(29).map((number) => summaryOf(...tool('Edit', { file_path: `e${number}` })))
    const all = merged(first, ...reads, ...edits)
    expect(all.filesEdited.items.at(-1)?.path).toBe('first.ts')
    expect(all.filesEdited.items).toHaveLength(30)
    expect(merged(all, summaryOf(...tool('Edit', { file_path: 'one more' }))).filesEdited).toMatchObject({ dropped: 1 })
    expect(merged(all, summaryOf(...tool('Edit', { file_path: 'first.ts' }))).filesEdited.items[0]?.path).toBe(
      'first.ts',
    )
  })
})

it('the newest request is the task, also when the newer part has no request', () => {
  expect(merged(summaryOf(user('a'), user('b')), summaryOf(agent('working'))).currentTask?.text).toBe('b')
})
