/** What holds for every request of a policy that keeps the window, over arbitrary sessions. */
import { expect } from '@jest/globals'
import fc from 'fast-check'
import type { LogEntry } from '../../../session-log.ts'
import { duplicateNotice } from '../../steps/file-reads/notices.ts'
import { isFixed } from '../../draft.ts'
import type { ViewBlock } from '../../view-block.ts'
import { validateMessages } from '../../messages/validate.ts'
import type { Policy, Situation } from '../../policy.ts'
import { createContextView } from '../../view.ts'
import { CHARACTERS_PER_TOKEN, PATHS, act, actions, createDriver, situationOf, type Driver } from './driver.fixture.ts'

/** A block that may not leave is cut to no fewer tokens. */
const LEAST_BLOCK = 64

/** A block's own emptiness is the log's, not the policy's. */
const problemsOf = ({ view }: Driver): readonly string[] =>
  validateMessages(view.history.messages())
    .filter(({ code, block }) => !(code === 'empty' && block !== undefined))
    .map(({ message }) => message)

/** Notices that refer to a content which is not visible in full further below. */
const danglingNotices = ({ view }: Driver): readonly string[] => {
  const blocks = view.blocks()
  const shows = (block: ViewBlock, path: string): boolean => {
    if (block.source.original.type === 'text')
      return (
        block.source.seen?.type === 'text' && block.source.seen.text.includes(`<file_content path="${path}">its text`)
      )
    return (
      block.source.seen === block.source.original &&
      block.operations.some((operation) => plain(operation.path) === plain(path))
    )
  }
  return blocks.flatMap((block, index) =>
    PATHS.filter(
      (path) =>
        block.source.replacement?.includes(duplicateNotice([path])) === true &&
        !blocks
          .slice(index + 1)
          .some((newer) => PATHS.some((name) => plain(name) === plain(path) && shows(newer, name))),
    ),
  )
}

const plain = (path: string): string => path.replace(/^\.\//, '')

const scratchView = (policy: Policy, log: readonly LogEntry[]) => {
  const view = createContextView(CHARACTERS_PER_TOKEN)
  const run = policy.start(view)
  for (const entry of log) view.step(entry)
  return { view, run }
}

const checkRequest = (policy: Policy, driver: Driver, situation: Situation): void => {
  const { view } = driver
  const scratch = scratchView(policy, driver.log)
  expect(scratch.run.decide(situation)).toEqual(driver.propose(situation))
  const isOver = view.tokens() > situation.availableTokens
  const isValid = problemsOf(driver).length === 0
  const [rewrite, ...more] = driver.decide(situation)
  expect(more).toEqual([])
  // Nothing new, nothing to do; and the log alone leads to the same view.
  expect(driver.propose(situation)).toBeUndefined()
  expect(scratchView(policy, driver.log).view.history.messages()).toEqual(view.history.messages())
  if (isValid) expect(problemsOf(driver)).toEqual([])
  if (rewrite !== undefined) expect(rewrite.tokensAfter).toBeLessThan(rewrite.tokensBefore ?? 0)
  const least = view.blocks().reduce((sum, block) => sum + (isFixed(block, view) ? block.tokens : LEAST_BLOCK), 0)
  if (isOver) expect(view.tokens()).toBeLessThanOrEqual(Math.max(situation.availableTokens, least))
  for (const block of view.blocks()) if (isFixed(block, view)) expect(block.source.seen).toEqual(block.source.original)
  expect(danglingNotices(driver)).toEqual([])
  for (const block of view.newestUser === undefined ? [] : view.history.blocksOf(view.newestUser.seq))
    expect(block.seen).toEqual(block.original)
}

/** Random sessions, a decision before each reply; every fifth request is refused once or more. */
export const checkInvariants = (policy: Policy, changes: Partial<Situation>, numRuns: number): void => {
  fc.assert(
    fc.property(actions, fc.nat(), (next, seed) => {
      const driver = createDriver(policy)
      driver.user('Do it.')
      let lastUsed = 0
      next.forEach((action, index) => {
        if (action.do === 'step' || action.do === 'agent') {
          const situation = situationOf({ ...changes, now: index * 1000, lastUsed })
          checkRequest(policy, driver, situation)
          const refusals = (seed + index) % 5 === 0 ? 1 + (seed % 4) : 0
          for (let count = 1; count <= refusals; count++)
            checkRequest(policy, driver, { ...situation, refusals: count })
        }
        act(driver, action)
        lastUsed = (changes.prefix ?? 0) + driver.view.tokens()
      })
      checkRequest(policy, driver, situationOf({ ...changes, now: 1e6, lastUsed }))
    }),
    { numRuns },
  )
}
