import { describe, expect, it } from '@jest/globals'
import type { ViewBlock } from '../../view-block.ts'
import { code, session, type Session } from './cache-aware.fixture.ts'
import { createBlockValue, type BlockValue } from './block-value.ts'

const MISS = 1

/** What each block of a session is worth now. */
const valueFor = (run: Session): ((match: (block: ViewBlock) => boolean) => number) => {
  const blockValue: BlockValue = createBlockValue()
  for (const block of run.context.view.all()) blockValue.add(block)
  blockValue.ready(0)
  return (match) => {
    const block = run.context.view.all().find(match)
    return block === undefined ? Number.NaN : blockValue.value(block, run.context.view.requests, MISS, 0)
  }
}

const resultFor = (part: string) => (block: ViewBlock) =>
  block.source.original.type === 'tool_result' && JSON.stringify(block.source.original).includes(part)

describe('the value of a block', () => {
  const quiet = { leastWarm: 1e9, leastCold: 1e9, outputTokens: 1e9 }

  it('is higher for a file that was read than for a command of the same size', () => {
    const run = session(quiet)
    run.tool('Read', { file_path: 'a.ts' }, code('read', 50))
    run.tool('Bash', { command: 'make' }, code('made', 50))
    const value = valueFor(run)
    expect(value(resultFor('readValue'))).toBeGreaterThan(10 * value(resultFor('madeValue')))
  })

  it('falls with age and with a commit, and to almost zero when the same was read again', () => {
    const aged = (more: (run: Session) => void): number => {
      const run = session(quiet)
      run.tool('Read', { file_path: 'a.ts' }, code('read', 50))
      for (let index = 0; index < 10; index++) run.tool('Bash', { command: `echo ${index}` }, `${index}`)
      more(run)
      return valueFor(run)(resultFor('readValue'))
    }
    const young = session(quiet)
    young.tool('Read', { file_path: 'a.ts' }, code('read', 50))
    const plain = aged(() => undefined)
    expect(plain).toBeLessThan(valueFor(young)(resultFor('readValue')))
    expect(aged((run) => run.tool('Bash', { command: 'git commit -m x' }, 'done'))).toBeLessThan(plain / 2)
    expect(aged((run) => run.tool('Read', { file_path: 'a.ts' }, code('read', 50)))).toBeLessThan(plain / 5)
  })
  it('is higher for a file that the user named', () => {
    const valueAfter = (words: string): number => {
      const run = session(quiet)
      run.user(words)
      run.tool('Read', { file_path: '/work/src/handler.ts' }, code('read', 50))
      for (let index = 0; index < 20; index++) run.tool('Bash', { command: `echo ${index}` }, `${index}`)
      return valueFor(run)(resultFor('readValue'))
    }
    const named = valueAfter('Change `src/handler.ts` so that it waits.')
    expect(named).toBeGreaterThan(2 * valueAfter('Change `src/other.ts` so that it waits.'))
  })
})
