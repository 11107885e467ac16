import { describe, expect, test } from '@jest/globals'
import type { RewriteEntry } from '../../../session-log.ts'
import { validateMessages } from '../../messages/validate.ts'
import { nextTruncationRange } from './truncation-range.ts'
import { duplicateNotice } from '../../steps/file-reads/notices.ts'
import { createDriver, read, type Driver } from './driver.fixture.ts'
import { checkInvariants } from './invariants.fixture.ts'
import { goneNotice } from './update-notices.ts'
import { clinePolicy } from './policy.ts'
import { TRUNCATION_NOTICE } from './truncate.ts'

const ALLOWED = 160_000

/** Messages of the user and the agent in turn. */
const talk = (driver: Driver, count: number, from = 0): void => {
  for (let index = from; index < from + count; index++) {
    if (index % 2 === 0) driver.user(`question ${index} ${'?'.repeat(200)}`)
    else driver.agent(`answer ${index} ${'!'.repeat(200)}`)
  }
}

const ids = (driver: Driver): readonly string[] => driver.view.history.messages().map(({ id }) => id)
const removedSeqs = (entry: RewriteEntry | undefined): readonly number[] =>
  entry?.changes.filter(({ text }) => text === undefined).map(({ seq }) => seq) ?? []
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)
const noticesIn = (driver: Driver): number => driver.text().split(TRUNCATION_NOTICE).length - 1

describe("Cline's thresholds", () => {
  test('acts once the last request reached the allowed size', () => {
    const driver = createDriver(clinePolicy())
    talk(driver, 20)
    expect(driver.propose({ lastUsed: ALLOWED - 1 })).toBeUndefined()
    expect(driver.propose({ lastUsed: ALLOWED })).toBeDefined()
    expect(driver.propose({ window: 128_000, lastUsed: 97_999 })).toBeUndefined()
    expect(driver.propose({ window: 128_000, lastUsed: 98_000 })).toBeDefined()
    expect(driver.propose({ window: 64_000, lastUsed: 37_000 })).toBeDefined()
  })

  test('the threshold can be set', () => {
    const driver = createDriver(clinePolicy({ allowedShare: 0.9 }))
    talk(driver, 20)
    expect(driver.propose({ lastUsed: 179_999 })).toBeUndefined()
    expect(driver.propose({ lastUsed: 180_000 })).toBeDefined()
  })

  test('removes half of the messages, or three quarters at twice the allowed size', () => {
    const half = createDriver(clinePolicy())
    talk(half, 20)
    expect(removedSeqs(half.decide({ lastUsed: ALLOWED })[0])).toEqual(range(2, 9))
    const quarter = createDriver(clinePolicy())
    talk(quarter, 20)
    expect(removedSeqs(quarter.decide({ lastUsed: 2 * ALLOWED + 2 })[0])).toEqual(range(2, 13))
  })

  test('chooses the range of a second truncation as Cline does', () => {
    const driver = createDriver(clinePolicy())
    talk(driver, 14)
    driver.decide({ lastUsed: ALLOWED })
    expect(ids(driver).filter((id) => id.startsWith('m'))).toEqual([
      'm0',
      'm1',
      ...range(8, 13).map((seq) => `m${seq}`),
    ])
    for (let index = 0; index < 6; index++) {
      if (index % 2 === 0) driver.user(`more ${index}`)
      else driver.agent(`more ${index}`)
    }
    const messages = driver.log.flatMap((entry) => (entry.kind === 'message' ? [entry] : []))
    const [, end] = nextTruncationRange(messages, [2, 7], 'half') ?? []
    driver.decide({ lastUsed: ALLOWED })
    expect(
      ids(driver)
        .filter((id) => id.startsWith('m'))
        .slice(2),
    ).toEqual(messages.slice((end ?? 0) + 1).map(({ id }) => id))
  })

  test('skips truncation when deduplication saves 30 %', () => {
    const rich = createDriver(clinePolicy())
    rich.user('go')
    for (let index = 0; index < 10; index++) rich.step([read('a.ts', 'x'.repeat(3000))])
    const [first] = rich.decide({ lastUsed: ALLOWED })
    expect(removedSeqs(first)).toEqual([])
    expect(first?.changes).toHaveLength(9)
    const poor = createDriver(clinePolicy())
    poor.user('go')
    for (let index = 0; index < 10; index++) poor.step([read(`${Math.min(8, index)}.ts`, 'x'.repeat(3000))])
    expect(removedSeqs(poor.decide({ lastUsed: ALLOWED })[0])).not.toEqual([])
  })

  test('accepts less where the conversation grows slowly enough, unless there is no cache', () => {
    const slow = (dedupThreshold?: number): Driver => {
      const driver = createDriver(clinePolicy(dedupThreshold === undefined ? {} : { dedupThreshold }))
      driver.user('go')
      for (let index = 0; index < 100; index++)
        driver.step([read(index < 25 ? 'same.ts' : `${index}.ts`, 'x'.repeat(800))])
      return driver
    }
    const lastUsed = ALLOWED
    expect(removedSeqs(slow().decide({ lastUsed })[0])).toEqual([])
    expect(removedSeqs(slow(0.3).decide({ lastUsed })[0])).not.toEqual([])
    expect(removedSeqs(slow().decide({ lastUsed, cacheLifetime: 0 })[0])).not.toEqual([])
  })
})

describe('faults of the original that are fixed here', () => {
  test('six reads of 400 kB fit a window of 200,000 tokens', () => {
    for (const parallel of [true, false]) {
      const driver = createDriver(clinePolicy())
      driver.user('Read them all.')
      const calls = range(1, 6).map((index) => read(`${index}.txt`, `${index} line\n`.repeat(400_000 / 7)))
      if (parallel) driver.step(calls)
      else for (const call of calls) driver.step([call])
      driver.decide({ prefix: 20_000 })
      expect(driver.view.tokens()).toBeLessThanOrEqual(180_000)
      expect(driver.text()).toContain('6 line')
      expect(validateMessages(driver.view.history.messages())).toEqual([])
    }
  })

  test('30 % saved are not enough when the rest does not fit', () => {
    const driver = createDriver(clinePolicy())
    driver.user('go')
    for (let index = 0; index < 6; index++) driver.step([read('same.txt', 'x\n'.repeat(200_000))])
    for (let index = 0; index < 3; index++) driver.step([{ output: `${index}\n`.repeat(150_000) }])
    driver.decide({ lastUsed: 500_000 })
    expect(driver.view.tokens()).toBeLessThanOrEqual(ALLOWED)
  })

  test('after a rollback the same reads are deduplicated again', () => {
    const driver = createDriver(clinePolicy())
    driver.user('go')
    driver.step([read('a.ts', 'x'.repeat(5000))])
    driver.step([read('a.ts', 'y'.repeat(5000))])
    const before = driver.log.length - 1
    const [first] = driver.decide({ lastUsed: ALLOWED })
    expect(driver.text()).not.toContain('xxx')
    driver.add({ kind: 'rewind', at: null, toSeq: before })
    expect(driver.text()).toContain('xxx')
    const [second] = driver.decide({ lastUsed: ALLOWED })
    expect(second?.changes).toEqual(first?.changes)
    expect(driver.text()).not.toContain('xxx')
  })

  test('the notice follows the first exchange, also when that begins with a tool call, and appears once', () => {
    const driver = createDriver(clinePolicy())
    driver.user('go')
    driver.step([{ output: 'first' }])
    for (let index = 0; index < 12; index++)
      driver.step([{ output: `output ${index} ${'.'.repeat(200)}` }], index % 2 === 0 ? 'tool' : 'user')
    driver.decide({ lastUsed: ALLOWED })
    expect(driver.view.history.messages()[3]?.content).toEqual([{ type: 'text', text: TRUNCATION_NOTICE }])
    expect(driver.text()).toContain('first')
    driver.step([{ output: 'more' }])
    driver.decide({ lastUsed: ALLOWED })
    expect(noticesIn(driver)).toBe(1)
    expect(validateMessages(driver.view.history.messages())).toEqual([])
  })

  test('a notice that points to a truncated read is corrected in the same rewrite', () => {
    const driver = createDriver(clinePolicy())
    driver.user('go')
    driver.step([read('a.ts', 'old\n'.repeat(2000))])
    driver.step([read('a.ts', 'new\n'.repeat(2000))])
    driver.decide({ lastUsed: ALLOWED })
    expect(driver.text()).toContain(duplicateNotice(['a.ts']))
    for (let index = 0; index < 9; index++) driver.step([{ output: `line ${index}\n`.repeat(1000) }])
    const [entry] = driver.decide({ lastUsed: 3 * ALLOWED })
    expect(driver.text()).not.toContain('new\n')
    expect(driver.text()).not.toContain(duplicateNotice(['a.ts']))
    expect(entry?.changes.find(({ seq }) => seq === 2)?.text).toBe(goneNotice(['a.ts']))
    // What is read again is deduplicated again; the corrected notice stays true.
    driver.step([read('a.ts', 'newer\n'.repeat(2000))])
    expect(driver.text()).toContain(goneNotice(['a.ts']))
  })

  test('a notice that points to a shortened read is corrected, too', () => {
    const driver = createDriver(clinePolicy())
    driver.user('go')
    driver.step([read('a.ts', 'old\n'.repeat(2000))])
    driver.step([read('a.ts', 'new\n'.repeat(200_000))])
    driver.decide()
    expect(driver.view.tokens()).toBeLessThanOrEqual(200_000)
    expect(driver.text()).toContain('Cut to save space')
    expect(driver.text()).toContain(goneNotice(['a.ts']))
  })

  test('a mention keeps its tags, and a corrected one, too', () => {
    const driver = createDriver(clinePolicy())
    driver.user(`See <file_content path="a.ts">${'old\n'.repeat(500)}</file_content> here`)
    driver.agent('ok')
    driver.step([read('a.ts', 'new\n'.repeat(500))])
    driver.user('next')
    driver.decide({ lastUsed: ALLOWED })
    const notice = driver.text().includes(duplicateNotice(['a.ts'])) ? duplicateNotice(['a.ts']) : goneNotice(['a.ts'])
    expect(driver.text()).toContain(`See <file_content path="a.ts">${notice}</file_content> here`)
    for (let index = 0; index < 8; index++) driver.step([{ output: `${index} ${'.'.repeat(500)}` }])
    driver.decide({ lastUsed: 3 * ALLOWED })
    expect(driver.text()).toContain(`See <file_content path="a.ts">${goneNotice(['a.ts'])}</file_content> here`)
  })
})

describe('what stays', () => {
  test('an image beside a file that was read again', () => {
    const driver = createDriver(clinePolicy())
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const
    driver.user('go')
    driver.step([
      {
        output: [
          { type: 'text', text: `<final_file_content path="a.ts">${'old\n'.repeat(500)}</final_file_content>` },
          image,
        ],
      },
    ])
    driver.step([read('a.ts', 'new\n'.repeat(500))])
    driver.decide({ lastUsed: ALLOWED })
    const result = driver.view.history
      .messages()
      .flatMap(({ content }) => content)
      .find(({ type }) => type === 'tool_result')
    expect(result?.type === 'tool_result' ? result.content : []).toContainEqual(image)
  })

  test('a shortened read is replaced by a newer one', () => {
    const driver = createDriver(clinePolicy())
    driver.user('go')
    driver.step([read('a.ts', 'old\n'.repeat(200_000))])
    driver.decide()
    expect(driver.text()).toContain('Cut to save space')
    driver.step([read('a.ts', 'new\n'.repeat(2000))])
    driver.decide({ lastUsed: ALLOWED })
    expect(driver.text()).not.toContain('old\n')
    expect(driver.text()).toContain(duplicateNotice(['a.ts']))
  })

  test("the user's newest message, and pinned blocks with their call or result", () => {
    const driver = createDriver(clinePolicy())
    driver.user('first')
    driver.agent('ok')
    driver.user(`the task ${'z'.repeat(20_000)}`)
    driver.step([{ output: 'precious' }])
    driver.add({ kind: 'pin', at: null, messageId: 'm4', state: 'pinned' })
    for (let index = 0; index < 20; index++) driver.step([{ output: `${index} `.repeat(20_000) }])
    driver.decide({ lastUsed: ALLOWED })
    expect(driver.text()).toContain(`the task ${'z'.repeat(20_000)}`)
    expect(driver.text()).toContain('precious')
    expect(validateMessages(driver.view.history.messages())).toEqual([])
  })

  test('a prompt over the limit does not cause a truncation at every request', () => {
    const driver = createDriver(clinePolicy())
    driver.user('w'.repeat(60_000))
    driver.agent('ok')
    let rewrites = 0
    for (let index = 0; index < 20; index++) {
      driver.step([{ output: `${index} `.repeat(500) }])
      rewrites += driver.decide({ window: 64_000, prefix: 20_000, lastUsed: 20_000 + driver.view.tokens() }).length
    }
    expect(rewrites).toBeLessThan(6)
  })

  test('each refusal by the provider shrinks the request once', () => {
    const driver = createDriver(clinePolicy())
    driver.user('the task')
    for (let index = 0; index < 20; index++) driver.step([{ output: `${index} `.repeat(3000) }])
    let last = driver.view.tokens()
    for (const refusals of [1, 2, 3, 4]) {
      driver.decide({ refusals })
      expect(driver.view.tokens()).toBeLessThanOrEqual(last / 2)
      last = driver.view.tokens()
      expect(driver.text()).toContain('the task')
    }
    driver.step([{ output: 'more' }])
    expect(driver.propose()).toBeUndefined()
  })
})

test('the invariants hold for every request of arbitrary sessions', () => {
  checkInvariants(clinePolicy(), { window: 16_000, prefix: 2000, availableTokens: 13_000 }, 100)
  checkInvariants(clinePolicy(), { window: 4000, prefix: 500, availableTokens: 3000 }, 60)
})
