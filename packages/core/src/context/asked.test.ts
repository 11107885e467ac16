/** What of the user's is kept word for word: the newest message of a person, and the task. */
import { describe, expect, it } from '@jest/globals'
import { textOfBlock } from '../messages.ts'
import { createDriver } from './policies/cline/driver.fixture.ts'
import { cacheAwarePolicy } from './policies/cache-aware/policy.ts'
import { clinePolicy } from './policies/cline/policy.ts'
import { clioPolicy } from './policies/clio/policy.ts'
import { blockReason, lastChanges } from './block-reason.ts'

const TASK = `Mend the parser: ${'every case of it, '.repeat(200)}`
const INTERRUPTED = '[Request interrupted by user]'
const wordsOf = (entry: { readonly content: readonly Parameters<typeof textOfBlock>[0][] } | undefined) =>
  entry?.content.map(textOfBlock).join('\n')

describe.each([clinePolicy(), clioPolicy(), cacheAwarePolicy('safe')])('$name', (policy) => {
  it('keeps the task and the newest message of the user; a notice of the program counts as neither', () => {
    const driver = createDriver(policy)
    driver.user('first')
    driver.step([{ output: 'x\n'.repeat(2000) }])
    driver.user(TASK)
    const situation = { window: 24_000, prefix: 0, availableTokens: 20_000 }
    for (let turn = 0; turn < 40; turn++) {
      driver.step([{ output: `line ${turn}\n`.repeat(800) }])
      driver.user(turn % 2 === 0 ? INTERRUPTED : 'ok, go on')
      driver.decide({ ...situation, lastUsed: driver.view.tokens() })
      expect(driver.text()).toContain(TASK)
      expect(wordsOf(driver.view.task)).toBe(TASK)
      expect(wordsOf(driver.view.newestUser)).toBe(turn === 0 ? TASK : 'ok, go on')
      for (const source of driver.view.history.blocksOf(driver.view.newestUser?.seq ?? -1))
        expect(source.seen).toBe(source.original)
    }
    expect(driver.view.rewrites.length).toBeGreaterThan(0)
    const task = driver.view.block(driver.view.task?.seq ?? -1, 0)
    const notice = driver.view.all().find(({ source }) => textOfBlock(source.original) === INTERRUPTED)
    expect(notice?.kind).toBe('program')
    expect(
      task === undefined ? undefined : blockReason(task, driver.view, lastChanges(driver.view.rewrites)).code,
    ).toBe('task')
  })
})

it('only what the user typed counts, not what the program put beside it', () => {
  const driver = createDriver(clinePolicy())
  driver.add({
    kind: 'message',
    at: 0,
    id: 'mixed',
    role: 'user',
    content: [
      { type: 'text', text: '<system-reminder>The list is empty.</system-reminder>' },
      { type: 'text', text: 'Mend it.' },
    ],
  })
  expect(driver.view.task?.id).toBe('mixed')
  expect(driver.view.blocks().map(({ kind }) => kind)).toEqual(['program', 'user'])
})

it('a rewind restores the earlier task', () => {
  const driver = createDriver(clinePolicy())
  driver.user('Mend it.')
  driver.agent('Done.')
  driver.user('Test it.')
  driver.add({ kind: 'rewind', at: null, toSeq: 1 })
  expect(wordsOf(driver.view.task)).toBe('Mend it.')
})
