/** `cairn models` as a process. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createSandbox } from '../testing/run-cli.ts'

interface Answer {
  readonly models: readonly {
    readonly id: string
    readonly provider: string | null
    readonly isOwnPrice: boolean
    readonly used: { readonly requests: number; readonly costUsd: number } | null
  }[]
  readonly keys: readonly { readonly provider: string; readonly key: string }[]
  readonly total: { readonly models: number; readonly known: number; readonly costUsd: number }
}

const SAMPLES = fileURLToPath(new URL('../../../../samples', import.meta.url))

describe('cairn models', () => {
  const sandbox = createSandbox({ ANTHROPIC_API_KEY: 'sk-ant-secret-value' })
  beforeAll(() => sandbox.cairn('import', '--from', SAMPLES))
  afterAll(() => sandbox.remove())
  const models = async (...args: readonly string[]): Promise<Answer> =>
    (await sandbox.json('models', ...args)) as Answer

  it('lists current models by provider in 80 columns, and says which keys are set', async () => {
    const { code, stdout } = await sandbox.cairn('models')
    expect(code).toBe(0)
    expect(stdout).toContain('Anthropic (anthropic): key set (ANTHROPIC_API_KEY)')
    expect(stdout).toContain('OpenAI (openai): key not set (OPENAI_API_KEY, or cairn secret set openai)')
    expect(stdout).not.toContain('sk-ant')
    expect(stdout).toMatch(/^Total {2}\d+ models of [\d,]+ known/m)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('sums for models that were used what `usage` does', async () => {
    const used = await models('--used')
    const usage = (await sandbox.json('usage', '--by', 'model')) as {
      readonly rows: readonly { readonly key: string; readonly requests: number }[]
      readonly total: { readonly costUsd: number }
    }
    expect(usage.rows.length).toBeGreaterThan(0)
    expect(used.models.map(({ id, used }) => [id, used?.requests]).sort()).toEqual(
      usage.rows.map(({ key, requests }) => [key, requests]).sort(),
    )
    expect(used.total.costUsd).toBeCloseTo(usage.total.costUsd, 9)
  })

  it('shows the whole list only when asked to, or of one provider', async () => {
    const [usual, all, openai] = [await models(), await models('--all'), await models('--provider', 'openai')]
    expect(usual.total.models).toBeLessThan(200)
    expect(all.total.models).toBeGreaterThanOrEqual(all.total.known)
    expect(new Set(openai.models.map(({ provider }) => provider))).toEqual(new Set(['openai']))
  })

  it("shows one model in full, with the user's own price", async () => {
    await sandbox.cairn('config', 'set', 'prices.claude-sonnet-5', '1.5,7')
    const { code, stdout } = await sandbox.cairn('models', 'claude-sonnet-5')
    expect(code).toBe(0)
    expect(stdout).toMatch(/Input +\$1\.5 per million tokens \(your setting\)/)
    expect(stdout).toMatch(/Cache +what the request marks, kept 5 min after/)
  })

  it('names the nearest models for one that is not known', async () => {
    const { code, stdout, stderr } = await sandbox.cairn('models', 'claude-sonet-5')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain("There is no model 'claude-sonet-5'. Nearest: claude-sonnet-5")
    expect((await sandbox.cairn('models', '--provider', 'antropic')).stderr).toContain("Did you mean 'anthropic'?")
  })

  it('leaves the store alone under --incognito', async () => {
    const usual = await models('--incognito')
    expect(usual.total.costUsd).toBe(0)
    expect((await sandbox.cairn('models', '--used', '--incognito')).code).toBe(2)
  })
})
