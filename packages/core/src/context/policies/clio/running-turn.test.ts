import { describe, expect, test } from '@jest/globals'
import type { RewriteEntry } from '../../../session-log.ts'
import { validateMessages } from '../../messages/validate.ts'
import { CHARACTERS_PER_TOKEN, createDriver, situationOf, type Driver } from '../cline/driver.fixture.ts'
import { clioPolicy } from './policy.ts'
import { leastFreed } from './sizes.ts'

const SETTING = { window: 64_000, prefix: 20_000, availableTokens: 41_000 }
/** Tokens of results, one after the other: as tools give them, mostly small and now and then a file. */
const RESULTS = [40, 300, 90, 1800, 25, 700, 120, 5200, 60, 450, 2600, 35]

const resultText = (index: number): string => {
  const tokens = RESULTS[index % RESULTS.length] ?? 0
  return `${`result ${index} line\n`.repeat(Math.ceil((tokens * CHARACTERS_PER_TOKEN) / 15))}end of result ${index}`
}

/** A reply that reasons and calls a tool, with the result. The provider wants all of the running turn's reasoning back. */
const reasonedStep = (driver: Driver, index: number): void => {
  const frame = { kind: 'message', at: driver.log.length * 1000 } as const
  driver.add({
    ...frame,
    id: `reply${index}`,
    role: 'assistant',
    content: [
      { type: 'thinking', text: `step ${index}: ${'hm '.repeat(20)}`, signature: `signed ${index}` },
      { type: 'text', text: `I look at part ${index}.` },
      { type: 'tool_call', id: `t${index}`, name: 'Bash', input: { command: `show ${index}` } },
    ],
  })
  driver.add({
    ...frame,
    id: `result${index}`,
    role: 'tool',
    content: [{ type: 'tool_result', callId: `t${index}`, content: [{ type: 'text', text: resultText(index) }] }],
  })
}

interface Request {
  readonly rewrites: readonly RewriteEntry[]
  readonly tokens: number
  /** Whether the result that the model has not seen yet is sent whole. */
  readonly isNewestWhole: boolean
}

/** One long turn of so many requests, each of which may be rewritten. */
const turnOf = (requests: number): { readonly driver: Driver; readonly requests: readonly Request[] } => {
  const driver = createDriver(clioPolicy())
  driver.user('an older question')
  for (let index = 0; index < 12; index++) driver.step([{ output: resultText(index) }])
  driver.agent('an older answer')
  driver.user('the task')
  return {
    driver,
    requests: Array.from({ length: requests }, (_, index) => {
      reasonedStep(driver, index)
      const rewrites = driver.decide(SETTING)
      expect(validateMessages(driver.view.history.messages())).toEqual([])
      return { rewrites, tokens: driver.view.tokens(), isNewestWhole: driver.text().includes(resultText(index)) }
    }),
  }
}

describe('while a turn runs whose calls may not leave', () => {
  test('a rewrite frees enough for many requests, or none is made', () => {
    const { driver, requests } = turnOf(200)
    const rewrites = requests.flatMap((request) => request.rewrites)
    const floor = leastFreed({ start: 0.75, target: 0.5 }, situationOf(SETTING))
    expect(driver.view.tokens()).toBeGreaterThan(20_000)
    expect(rewrites.length).toBeGreaterThan(5)
    expect(rewrites.length).toBeLessThan(requests.length / 8)
    for (const { tokensBefore = 0, tokensAfter = 0 } of rewrites)
      expect(tokensBefore - tokensAfter).toBeGreaterThan(floor * 0.8)
  })

  test('each request fits, and has the newest result whole', () => {
    for (const { tokens, isNewestWhole } of turnOf(200).requests) {
      expect(tokens).toBeLessThanOrEqual(SETTING.availableTokens)
      expect(isNewestWhole).toBe(true)
    }
  })
})
