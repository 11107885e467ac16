/** The program in docs/library.md that remembers, and what stands there to go into it, run as it stands: twice, over one store. */
import { afterAll, describe, expect, it } from '@jest/globals'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PAGE = fileURLToPath(new URL('../../../docs/library.md', import.meta.url))
const PACKAGES = fileURLToPath(new URL('../..', import.meta.url))

const project = mkdtempSync(join(tmpdir(), 'cairn-library-'))

afterAll(() => rmSync(project, { recursive: true, force: true }))

const exampleWith = (text: string): string => {
  const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? '')
  const found = blocks.filter((code) => code.includes(text))
  expect(found).toHaveLength(1)
  return found[0] ?? ''
}

describe('the agent that remembers', () => {
  it('runs as printed, and remembers in the second run what it learnt in the first', async () => {
    const packages = join(project, 'node_modules', '@cairn')
    mkdirSync(packages, { recursive: true })
    for (const name of ['core', 'storage-prisma']) symlinkSync(join(PACKAGES, name), join(packages, name), 'junction')
    writeFileSync(join(project, 'package.json'), '{"type":"module"}')
    const [body, end, ...rest] = exampleWith('openStore(').split('await engine.close()')
    expect([end?.trim(), rest.length]).toEqual(['', 0])
    // The example of the graph is of an engine that is still open.
    writeFileSync(join(project, 'agent.ts'), `${body ?? ''}\n${exampleWith('graph.about(')}\nawait engine.close()\n`)
    const run = async (): Promise<string> =>
      (
        await promisify(execFile)(process.execPath, ['--conditions=@cairn/source', 'agent.ts'], {
          cwd: project,
          env: { ...process.env, HOME: project, USERPROFILE: project },
        })
      ).stdout

    const first = await run()
    expect(first).toContain('0 sessions imported, 0 places left out')
    expect(first).toMatch(/^0 tokens for the system prompt/m)
    expect(first).toMatch(/^my-agent:\d+ assistant bcrypt takes fourteen rounds/m)
    expect(first).toContain('1 entries taken in, 0 lines left out')
    expect(first).toMatch(/^\d+ entries and 0 memory entries then$/m)
    expect(first).toContain('1 thread <thread_summary>')

    const second = await run()
    expect(second).toMatch(/Slow login → fewer bcrypt rounds in tests \[see src\/auth\.ts:42\]/)
    expect(second).toContain('<past_sessions>')
    expect(second).toMatch(/^\d+ entries and 1 memory entries then$/m)
  })
})
