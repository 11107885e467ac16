/** The examples in docs/library.md that need no store, run as they stand there. */
import { describe, expect, it } from '@jest/globals'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PAGE = fileURLToPath(new URL('../../../../docs/library.md', import.meta.url))
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

const examples = (): readonly string[] =>
  [...readFileSync(PAGE, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? '')

/** The example that holds a text; there is one. */
const exampleWith = (text: string): string => {
  const found = examples().filter((code) => code.includes(text))
  expect(found).toHaveLength(1)
  return found[0] ?? ''
}

/** The lines that a program writes; without colours, which Nx asks programs for. */
const linesOf = async (program: string): Promise<readonly string[]> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@cairn/source', '--input-type=module-typescript', '--eval', program],
    { cwd: PACKAGE, env: { ...process.env, FORCE_COLOR: '0' } },
  )
  return stdout.trim().split('\n')
}

describe('the examples of the library', () => {
  it('the loop runs to its end: decisions, refusals, and a log with both', async () => {
    const lines = await linesOf(exampleWith('createContext('))
    const [, replies = '', refusals = '', entries = ''] =
      /^(\d+) replies, (\d+) refusals, (\d+) entries, \d+ tokens in view$/.exec(lines.at(-1) ?? '') ?? []
    expect(Number(replies)).toBe(31)
    expect(Number(refusals)).toBeGreaterThan(0)
    expect(lines.some((line) => /^refused: \d+ blocks, \d+ to \d+ tokens$/.test(line))).toBe(true)
    // The question, thirty calls with results, the answer, and what was decided.
    expect(Number(entries)).toBe(62 + lines.length - 1)
  })

  it('pins and the archive go on where the loop ended', async () => {
    const check = "console.log('pins', log.filter(({ kind }) => kind === 'pin').length)\n"
    const lines = await linesOf(
      [exampleWith('createContext('), exampleWith('manualChange('), exampleWith('createArchive('), check].join('\n'),
    )
    // Of the result, and of its call.
    expect(lines.at(-1)).toBe('pins 2')
    expect(lines).toContain('<thread_summary>')
    expect(lines.some((line) => /^0 \d+ \d+ \d+ rewrite$/.test(line))).toBe(true)
  })

  it('each part does what its comment says', async () => {
    const lines = await linesOf([exampleWith('createContext('), exampleWith('rollbackTo(')].join('\n'))
    const parts = lines.slice(lines.findIndex((line) => line.includes('tokens in view')) + 1)
    expect(parts.slice(0, 4)).toEqual([
      '7 messages, 0 problems',
      'ok true false',
      'compact before the next request',
      'true 0',
    ])
    expect(parts).toContain('to leave out 3 to 4')
    expect(parts).toContain('Read all files of src.')
    expect(parts.some((line) => line.includes('1f2e3d4'))).toBe(true)
    expect(parts.at(-1)).toMatch(/^true \[/)
  })

  it('a single request is valid for a provider', async () => {
    expect((await linesOf(exampleWith('prepare({'))).join(' ')).toContain("role: 'user'")
  })
})
