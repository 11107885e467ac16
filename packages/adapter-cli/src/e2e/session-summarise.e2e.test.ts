/** `cairn session summarise --model` as a process, asking a model server on loopback. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { startModelServer, type ModelServer } from '@cairn/core/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createSandbox, environmentOf, resultOf, type Sandbox } from '../testing/run-cli.ts'

const SAMPLES = fileURLToPath(new URL('../../../../samples', import.meta.url))
const BIN = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))
const SESSION = '0ccf1a04'
const MODEL = 'claude-haiku-4-5'
const SECTIONS = [
  'Primary Request and Intent',
  'Key Technical Concepts',
  'Files and Code Sections',
  'Problem Solving',
  'Pending Tasks',
  'Current Work',
  'Next Step',
]
const SUMMARY = SECTIONS.map((title, index) => `${index + 1}. ${title}: of ${title}, what was done`).join('\n')
const KEYS = { ANTHROPIC_API_KEY: 'test-key', OPENAI_API_KEY: 'test-key' }

interface Summary {
  readonly summary: string
  readonly compacted: boolean
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly spending: { readonly requests: number; readonly costUsd: number }
  readonly undo: string | null
}
interface Usage {
  readonly total: { readonly requests: number; readonly costUsd: number }
}

let server: ModelServer
let box: Sandbox
beforeAll(async () => {
  server = await startModelServer()
  box = createSandbox(KEYS)
})
afterAll(async () => {
  await server.close()
  box.remove()
})

const answer = (text: string): void => server.script({ reply: { blocks: [{ type: 'text', text }] } })
const command = (...more: readonly string[]): readonly string[] => [
  ...['session', 'summarise', SESSION, '--model', MODEL, '--base-url', server.url],
  ...more,
]
const messages = async (): Promise<unknown> => {
  const { messages: shown } = (await box.json('context', 'show', SESSION, '--policy', 'none')) as {
    readonly messages: unknown
  }
  return shown
}
const billed = async (): Promise<Usage['total']> => ((await box.json('usage', '--mode', 'summarise')) as Usage).total

describe('cairn session summarise --model', () => {
  beforeEach(async () => {
    await box.cairn('purge', '--yes')
    await box.cairn('import', '--from', SAMPLES)
  })

  it('prints the summary, what it saves and what it cost, and leaves the conversation as it is', async () => {
    const before = await messages()
    answer(`<summarize_task>${SUMMARY}</summarize_task>`)
    const { code, stdout, stderr } = await box.cairn(...command())
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const title of SECTIONS) expect(stdout).toContain(`${title}: of ${title}`)
    expect(stdout).toMatch(/^About [\d,]+ → \d+ tokens\. claude-haiku-4-5: [\d.k]+ tokens of input/m)
    expect(stdout).toContain('--compact puts')
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(await messages()).toEqual(before)
    const total = await billed()
    expect(total.requests).toBe(1)
    expect(total.costUsd).toBeCloseTo(Number(server.ledger.at(-1)?.costNano) / 1e9, 9)
  })

  it('puts the summary into the log with --compact, and the rewind that it names takes it back', async () => {
    const before = await messages()
    answer(SUMMARY)
    const done = (await box.json(...command('--compact', '--keep', '500'))) as Summary
    expect(done).toMatchObject({ summary: SUMMARY, compacted: true, spending: { requests: 1 } })
    expect(done.tokensAfter).toBeLessThan(done.tokensBefore)
    expect(JSON.stringify(await messages())).toContain('<conversation_summary>')
    expect(done.undo).toMatch(/^cairn session rewind 0ccf1a04 --to '#\d+'$/)
    const undone = await box.shell(done.undo ?? 'false')
    expect(undone.code).toBe(0)
    expect(await messages()).toEqual(before)
    expect((await billed()).requests).toBe(1)
  })

  it('refuses what is no summary with one sentence and exit code 3; the money is recorded', async () => {
    const before = await messages()
    answer('I would rather talk of something else.')
    const { code, stdout, stderr } = await box.cairn(...command('--compact'))
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toMatch(
      /^The model answered with something other than a summary; .* It cost \$0\.\d+, which is recorded .*\.\n$/,
    )
    expect(await messages()).toEqual(before)
    expect((await billed()).requests).toBe(1)
  })

  it('tells of an attempt that is made again, and counts it as no request', async () => {
    server.script({ fault: { kind: 'refuse', as: 'overloaded' } })
    answer(SUMMARY)
    const { code, stderr } = await box.cairn(...command())
    expect(code).toBe(0)
    expect(stderr).toContain('asked again')
    expect((await billed()).requests).toBe(1)
  })

  it('is stopped by Ctrl-C, and what it cost by then is recorded', async () => {
    server.script({
      reply: { blocks: [{ type: 'text', text: SUMMARY.repeat(20) }] },
      fault: { kind: 'stall', at: 'in-text' },
    })
    const asked = server.requests.length
    const child = spawn(process.execPath, [BIN, ...command()], {
      cwd: box.folder,
      env: environmentOf(box.folder, KEYS),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = resultOf(child)
    while (server.requests.length === asked) await new Promise((resolve) => setTimeout(resolve, 20))
    // A signal that comes before the first words ends the request as well; then nothing was billed.
    child.kill('SIGINT')
    const { code, stderr } = await ended
    expect(code).toBe(130)
    expect(stderr).toMatch(/^Stopped; the conversation was left as it is\./)
    expect((await billed()).requests).toBe(stderr.includes('It cost') ? 1 : 0)
  })
})

describe('the options of session summarise', () => {
  it.each([
    [['--model', MODEL, '--target', '500'], /--target is for summaries without a model/],
    [['--compact'], /--compact is for summaries by a model: name it with --model/],
    [['--provider', 'openai'], /--provider is for summaries by a model/],
    [['--model', MODEL, '--keep', '10'], /--keep says what stays beside the summary: it needs --compact/],
    [['--model', ''], /--model takes a model's name/],
    [['--model', 'claude-haikuu-4-5'], /Nearest: claude-haiku-4-5/],
  ])('are refused where they say nothing together: %j', async (options, sentence) => {
    const { code, stdout, stderr } = await box.cairn('session', 'summarise', SESSION, ...options)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(sentence)
  })
})
