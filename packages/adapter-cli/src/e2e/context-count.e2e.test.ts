/** `cairn context count` as a process, against a server that stands for the providers. */
import { fileURLToPath } from 'node:url'
import { startModelServer, type ModelServer } from '@cairn/core/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createSandbox, type Sandbox } from '../testing/run-cli.ts'

interface Counted {
  readonly counted: number
  readonly estimated: number
  readonly estimatedNow: number
  readonly difference: number
  readonly parts: readonly { readonly part: string; readonly counted: number; readonly estimated: number }[]
  readonly charsPerToken: { readonly before: number; readonly after: number }
}

const SAMPLES = fileURLToPath(new URL('../../../../samples', import.meta.url))
const SESSION = '0ccf1a04'

let server: ModelServer
let box: Sandbox
beforeAll(async () => {
  server = await startModelServer()
  box = createSandbox({ ANTHROPIC_API_KEY: 'test-key', OPENAI_API_KEY: 'test-key', GEMINI_API_KEY: 'wrong' })
  await box.cairn('import', '--from', SAMPLES)
})
afterAll(async () => {
  await server.close()
  box.remove()
})

const claude = (): readonly string[] => ['--model', 'claude-sonnet-5', '--base-url', server.url, '--policy', 'none']

describe('cairn context count', () => {
  it("counts by the provider's own counter, and estimates are nearer from then on", async () => {
    const first = (await box.json('context', 'count', SESSION, ...claude())) as Counted
    const second = (await box.json('context', 'count', SESSION, ...claude())) as Counted
    expect(server.requests.every(({ purpose, problem }) => purpose === 'count' && problem === undefined)).toBe(true)
    expect(first.difference).toBe(first.estimated - first.counted)
    expect(first.parts.map(({ part }) => part)).toEqual(['text', 'tools'])
    expect(first.parts.reduce((sum, { counted }) => sum + counted, 0)).toBe(first.counted)
    expect(second.counted).toBe(first.counted)
    expect(second.estimated).toBe(first.estimatedNow)
    expect(Math.abs(second.difference)).toBeLessThan(Math.abs(first.difference) / 4)
    const shown = (await box.json('context', 'show', SESSION, '--model', 'claude-sonnet-5', '--policy', 'none')) as {
      readonly tokens: number
      readonly estimates: { readonly from: string }
    }
    expect(shown.estimates.from).toBe('counter')
    // The count has a point as the user's next message: the session ends with a reply.
    expect(second.estimatedNow - shown.tokens).toBeGreaterThan(0)
    expect(second.estimatedNow - shown.tokens).toBeLessThan(10)
  })

  it('shows the count in 80 columns, part by part, with the total last', async () => {
    const { code, stdout } = await box.cairn('context', 'count', SESSION, ...claude())
    expect(code).toBe(0)
    expect(stdout).toContain('model    claude-sonnet-5, counted by anthropic')
    expect(stdout).toMatch(/^tool calls and results +\d+ +[\d,]+ +[\d,]+ +[+-]\d+\.\d %$/m)
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^Total /)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('changes nothing in the session, and bills nothing', async () => {
    const usage = async (): Promise<unknown> => box.json('usage', '--session', SESSION)
    const before = [await usage(), await box.json('session', 'export', SESSION, '--format', 'json')]
    await box.cairn('context', 'count', SESSION, ...claude())
    expect([await usage(), await box.json('session', 'export', SESSION, '--format', 'json')]).toEqual(before)
    expect(server.ledger).toEqual([])
  })

  it.each([
    ['an API without a counter', ['--model', 'gpt-5.1', '--provider', 'openai-chat'], 2, /has no counter of tokens/],
    ['a key that is refused', ['--model', 'gemini-2.5-flash'], 1, /key/],
    ['a model that is not known', ['--model', 'claude-sonet-5'], 2, /Nearest: claude-sonnet-5/],
    ['an empty name', ['--model', ''], 2, /--model takes a model's name/],
  ])('answers %s with one sentence', async (_what, args, code, sentence) => {
    const address = args.includes('claude-sonet-5') ? [] : ['--base-url', server.url]
    const result = await box.cairn('context', 'count', SESSION, ...args, ...address)
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr).toMatch(sentence)
    expect(result.stderr.trim().split('\n')).toHaveLength(1)
  })
})
