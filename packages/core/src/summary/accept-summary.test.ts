import { expect, it } from '@jest/globals'
import { textOfBlock, type Message } from '../messages.ts'
import { acceptSummary } from './accept-summary.ts'
import { agent, user } from './conversation.fixture.ts'
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

it('warns of missing sections', () => {
  const short = 'Current Work: tests\nNext Step: more tests'
  expect(acceptSummary({ before, after, text: short }, estimate)).toMatchObject({
    ok: true,
    value: { missingSections: SUMMARY_SECTIONS.slice(0, 5).map(({ title }) => title) },
  })
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

it('an estimate that is no number accepts nothing', () => {
  expect(acceptSummary({ before, after, text }, () => Number.NaN).ok).toBe(false)
})
