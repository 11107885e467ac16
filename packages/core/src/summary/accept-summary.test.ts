import { expect, it } from '@jest/globals'
import { textOfBlock, type Message } from '../messages.ts'
import { acceptSummary } from './accept-summary.ts'
import { agent, tool, user } from './conversation.fixture.ts'
import { SUMMARY_SECTIONS, continuationMessage } from './summary-prompt.ts'

const estimate = (messages: readonly Message[]): number =>
  messages.flatMap(({ content }) => content.map(textOfBlock)).join('').length
const text = SUMMARY_SECTIONS.map(({ title }) => `${title}: x`).join('\n')
const before = [user('x'.repeat(5000)), agent('y'.repeat(5000))]
const after = [continuationMessage(text)]

it('accepts what is smaller, new and complete', () => {
  expect(acceptSummary({ before, after, text }, estimate)).toMatchObject({
    ok: true,
    value: { tokensBefore: 10_000, missingSections: [] },
  })
})

it('warns of missing sections that may be empty', () => {
  const short = '1. Primary Request and Intent:\n   mend the parser\n6. Current Work: tests'
  expect(acceptSummary({ before, after, text: short }, estimate)).toMatchObject({
    ok: true,
    value: {
      missingSections: SUMMARY_SECTIONS.map(({ title }) => title).filter(
        (title) => title !== 'Primary Request and Intent' && title !== 'Current Work',
      ),
    },
  })
})

it.each(SUMMARY_SECTIONS.map(({ title }) => title))('refuses a line that has only %s', (title) => {
  const result = acceptSummary({ before, after, text: `${title}: the work goes on.` }, estimate)
  expect(result).toMatchObject({ ok: false, error: { code: 'summary-without-sections' } })
  expect(JSON.stringify(result)).toMatch(/says nothing under .*for which the conversation gives cause/)
})

it('refuses titles without text', () => {
  const titles = SUMMARY_SECTIONS.map(({ title }) => `## ${title}\n`).join('\n')
  expect(acceptSummary({ before, after, text: titles }, estimate)).toMatchObject({
    ok: false,
    error: { code: 'summary-without-sections' },
  })
})

it.each([
  ['a call about a file', tool('Read', { file_path: 'src/a.ts' }, 'x'.repeat(3000))],
  ['a call with its arguments as text', tool('read_file', '{"path":"src/a.ts"}', 'x'.repeat(3000))],
])('requires the files section where there were any: %s', (_what, calls) => {
  const short = 'Primary Request and Intent: mend it\nCurrent Work: tests'
  const read = [...before, ...calls]
  const refusal = acceptSummary({ before: read, after, text: short }, estimate)
  expect(refusal).toMatchObject({ ok: false, error: { code: 'summary-without-sections' } })
  expect(JSON.stringify(refusal)).toContain('Files and Code Sections')
  expect(acceptSummary({ before: read, after, text: `${short}\nFiles and Code Sections: a.ts` }, estimate).ok).toBe(
    true,
  )
})

it.each([
  ['summary-empty', { before, after, text: ' \n' }],
  ['summary-without-sections', { before, after, text: 'I am sorry, I can not do that.' }],
  ['summary-not-smaller', { before: [user('short')], after, text }],
  ['summary-not-smaller', { before: after.map(({ content }) => user('', { content })), after, text }],
  ['summary-nothing-new', { before: after, after, text }],
  [
    'summary-nothing-new',
    { before: [{ role: 'system' as const, content: [] }, ...after, user('note', { origin: 'meta' })], after, text },
  ],
  ['summary-nothing-new', { before: [...after, ...before], after, text: text.replaceAll('\n', ' \n') }],
  ['summary-nothing-new', { before: [], after, text }],
])('%s', (code, proposal) => {
  const result = acceptSummary(proposal, estimate)
  expect(result).toMatchObject({ ok: false, error: { code } })
  expect(JSON.stringify(result)).toMatch(/left as it is|is left as it was/)
})

it('refuses everything when the estimate is not a number', () => {
  expect(acceptSummary({ before, after, text }, () => Number.NaN).ok).toBe(false)
})
