import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ATTRIBUTION_CASES, runAttributionCase } from '../../testing/attribution/run-case.ts'

describe('who changed a file', () => {
  let root: string
  let told: ReadonlyMap<string, PromiseSettledResult<readonly string[]>>
  // All at once, as they are mostly waiting.
  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-attribution-')))
    const outcomes = await Promise.allSettled(
      ATTRIBUTION_CASES.map((each) => runAttributionCase(each, mkdtempSync(join(root, 'case-')))),
    )
    told = new Map(
      ATTRIBUTION_CASES.flatMap(({ name }, index) => {
        const outcome = outcomes[index]
        return outcome === undefined ? [] : [[name, outcome]]
      }),
    )
  }, 180_000)
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it.each(ATTRIBUTION_CASES.map(({ name, expected }) => [name, expected] as const))('%s', (name, expected) => {
    expect(told.get(name)).toEqual({ status: 'fulfilled', value: expected })
  })

  it('has a name for each case', () => {
    expect(told.size).toBe(ATTRIBUTION_CASES.length)
  })
})
