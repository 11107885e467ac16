/** The loop in docs/library.md, run as it stands there. */
import { describe, expect, it } from '@jest/globals'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PAGE = fileURLToPath(new URL('../../../../docs/library.md', import.meta.url))
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

describe('the example of the library', () => {
  it('runs to its end: decisions, refusals and a log that holds both', async () => {
    const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? '')
    const loop = blocks.find((code) => code.includes('createContext('))
    expect(loop).toBeDefined()
    const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@cairn/source', '--input-type=module-typescript', '--eval', loop ?? ''], { cwd: PACKAGE })
    const lines = stdout.trim().split('\n')
    const [, replies = '', refusals = '', entries = ''] = /^(\d+) replies, (\d+) refusals, (\d+) entries, \d+ tokens in view$/.exec(lines.at(-1) ?? '') ?? []
    expect(Number(replies)).toBe(31)
    expect(Number(refusals)).toBeGreaterThan(0)
    expect(lines.some((line) => /^refused: \d+ blocks, \d+ to \d+ tokens$/.test(line))).toBe(true)
    // The question, thirty calls with results, the answer, and what was decided.
    expect(Number(entries)).toBe(62 + lines.length - 1)
  })
})
