import { describe, expect, it } from '@jest/globals'
import { CairnError } from '../errors.ts'
import type { LooseMessage } from './messages/loose.ts'
import { validateMessages } from './messages/validate.ts'
import { ContextOverflowError } from './overflow.ts'
import type { PolicyName } from './policies/registry.ts'
import type { Prepared } from './create-context.ts'
import { prepare } from './request.ts'

const KEEPING: readonly PolicyName[] = ['cline', 'clio', 'cache-aware']

const lines = (seed: string, count: number): string =>
  Array.from(
    { length: count },
    (_, line) => `  const ${seed}Value${line} = compute${seed}(${line}, options.flag)\n`,
  ).join('')

const exchange = (id: string, text: string): readonly LooseMessage[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: `src/${id}.ts` } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
]

const TASK: LooseMessage = { role: 'user', content: 'Do it.' }

const requestOf = (
  window: number,
  policy: PolicyName,
  messages: readonly LooseMessage[],
  prefixTokens = 500,
): Prepared => prepare({ messages, policy, window, maxOutputTokens: 8000, prefixTokens, charsPerToken: 2.7 })

const availableTokensFor = (window: number, prefix = 500): number => (window - prefix) * 0.75

const resultTokens = ({ blocks }: Prepared): readonly number[] =>
  blocks.filter(({ content }) => content.type === 'tool_result').map(({ tokens }) => tokens)

describe('near the limit of the window', () => {
  it('cache-aware removes only as many small results as the window needs', () => {
    const messages = [TASK, ...Array.from({ length: 1000 }, (_, at) => exchange(`s${at}`, lines(`s${at}`, 2))).flat()]
    const request = requestOf(64_000, 'cache-aware', messages)
    const whole = request.blocks.filter(({ content, state }) => content.type === 'tool_result' && state === 'full')
    expect(request.tokens).toBeGreaterThan(availableTokensFor(64_000) * 0.4)
    expect(whole.length).toBeGreaterThan(300)
    // The newest stay, the oldest leave.
    expect(whole.at(-1)?.content).toMatchObject({ callId: 's999' })
  })

  it.each(['cache-aware', 'cline', 'clio'] as const)('%s keeps the newest result whole where it fits', (policy) => {
    const messages = [
      TASK,
      ...Array.from({ length: 30 }, (_, at) => exchange(`s${at}`, lines(`s${at}`, 90))).flat(),
      ...exchange('newest', lines('newest', 3000)),
    ]
    const request = requestOf(100_000, policy, messages)
    expect(request.fits).toBe(true)
    expect(JSON.stringify(request.messages)).toContain('newestValue1500 ')
  })

  it('cache-aware cuts a newest result that does not fit to the available tokens: head, tail and a notice', () => {
    const text = lines('newest', 12_000)
    const older = Array.from({ length: 30 }, (_, at) => exchange(`s${at}`, lines(`s${at}`, 90))).flat()
    const request = requestOf(200_000, 'cache-aware', [TASK, ...older, ...exchange('newest', text)])
    expect(request.fits).toBe(true)
    expect(resultTokens(request).at(-1)).toBeGreaterThan(availableTokensFor(200_000) * 0.7)
    expect(request.tokens).toBeGreaterThan(availableTokensFor(200_000) * 0.8)
    const sent = JSON.stringify(request.messages)
    expect(sent).toContain('newestValue0 ')
    expect(sent).toContain('newestValue11999 ')
    expect(sent).toMatch(/Cut to save space: \d+ of \d+ characters are shown; run the tool again/)
    expect(request.reports.flatMap(({ removals }) => removals.map(({ what }) => what))).toContain('shortened')
  })

  it('cache-aware divides the available tokens among parallel results', () => {
    const calls = ['a', 'b', 'c'].map((id) => ({ type: 'tool_use', id, name: 'Read', input: { file_path: id } }))
    const results = ['a', 'b', 'c'].map((id, at) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: lines(id, at === 0 ? 20 : 2000),
    }))
    const request = requestOf(32_000, 'cache-aware', [
      TASK,
      { role: 'assistant', content: calls },
      { role: 'user', content: results },
    ])
    const [small = 0, left = 0, right = 0] = resultTokens(request)
    expect(request.blocks.find(({ content }) => content.type === 'tool_result')?.state).toBe('full')
    expect(Math.abs(left - right)).toBeLessThan(20)
    expect(small + left + right).toBeGreaterThan(availableTokensFor(32_000) * 0.75)
  })
})

describe.each([8000, 16_000])('a window of %i tokens', (window) => {
  const availableTokens = availableTokensFor(window)

  it.each(KEEPING)('holds as much as it can under %s', (policy) => {
    const cases: readonly (readonly LooseMessage[])[] = [
      [TASK, ...exchange('huge', lines('huge', 2000))],
      [TASK, ...Array.from({ length: 40 }, (_, at) => exchange(`s${at}`, lines(`s${at}`, 30))).flat()],
      Array.from({ length: 2001 }, (_, at) => ({
        role: at % 2 === 1 ? 'assistant' : 'user',
        content: `message ${at}`,
      })),
    ]
    for (const messages of cases) {
      const request = requestOf(window, policy, messages)
      expect(request.fits).toBe(true)
      expect(validateMessages(request.messages)).toEqual([])
      expect(request.tokens).toBeGreaterThan(availableTokens * 0.2)
    }
    expect(resultTokens(requestOf(window, policy, cases[0] ?? [])).at(0)).toBeGreaterThan(availableTokens * 0.7)
  })

  it('cuts a huge older message of the user to what fits, under cache-aware', () => {
    const messages = [
      { role: 'user', content: `The first task: ${'word '.repeat(20_000)}` },
      { role: 'assistant', content: 'I see.' },
      { role: 'user', content: 'Now write a test for the login page, please.' },
    ]
    const request = requestOf(window, 'cache-aware', messages)
    expect(request.fits).toBe(true)
    expect(request.tokens).toBeGreaterThan(availableTokens * 0.7)
    expect(JSON.stringify(request.messages)).toContain('The first task: word')
  })

  it.each(KEEPING)('throws a specific error that names what does not fit, under %s', (policy) => {
    expect(() => requestOf(window, policy, [{ role: 'user', content: 'word '.repeat(20_000) }])).toThrow(
      ContextOverflowError,
    )
    expect(() => requestOf(window, policy, [{ role: 'system', content: 'word '.repeat(20_000) }, TASK])).toThrow(
      ContextOverflowError,
    )
    expect(() => requestOf(window, policy, [TASK], window)).toThrow(CairnError)
  })
})

describe('the task', () => {
  it("is removed last of the user's messages", () => {
    const messages = Array.from({ length: 3000 }, (_, at) => ({ role: 'user', content: `note ${at} of the user` }))
    const request = requestOf(8000, 'cache-aware', messages)
    expect(request.fits).toBe(true)
    expect(JSON.stringify(request.messages)).toContain('note 0 of')
    expect(JSON.stringify(request.messages)).toContain('note 2999 of')
    expect(JSON.stringify(request.messages)).not.toContain('note 5 of')
  })
})
