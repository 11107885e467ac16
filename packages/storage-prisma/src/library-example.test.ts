/** The program in docs/library.md that remembers, and what stands there to go into it, run as it stands: twice, over one store. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startModelServer } from '@cairn/core/testing'

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

/** Runs a program of the project in a process of its own; what it printed. */
const run = async (program: string, variables: Readonly<Record<string, string>> = {}): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@cairn/source', program], {
    cwd: project,
    env: { ...process.env, HOME: project, USERPROFILE: project, ...variables },
  })
  return stdout
}

describe('the agent that remembers', () => {
  beforeAll(() => {
    const packages = join(project, 'node_modules', '@cairn')
    mkdirSync(packages, { recursive: true })
    for (const name of ['core', 'storage-prisma']) symlinkSync(join(PACKAGES, name), join(packages, name), 'junction')
    writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  })

  it('runs as printed, and remembers in the second run what it learnt in the first', async () => {
    const [body, end, ...rest] = exampleWith('openStore(').split('await engine.close()')
    expect([end?.trim(), rest.length]).toEqual(['', 0])
    // The example of the graph is of an engine that is still open.
    writeFileSync(join(project, 'agent.ts'), `${body ?? ''}\n${exampleWith('graph.about(')}\nawait engine.close()\n`)
    const first = await run('agent.ts')
    expect(first).toContain('0 sessions imported, 0 places left out')
    expect(first).toMatch(/^0 tokens for the system prompt/m)
    expect(first).toMatch(/^my-agent:\d+ assistant bcrypt takes fourteen rounds/m)
    expect(first).toContain('1 entries taken in, 0 lines left out')
    expect(first).toMatch(/^\d+ entries and 0 memory entries then$/m)
    expect(first).toContain('1 thread <thread_summary>')

    const second = await run('agent.ts')
    expect(second).toMatch(/Slow login → fewer bcrypt rounds in tests \[see src\/auth\.ts:42\]/)
    expect(second).toContain('<past_sessions>')
    expect(second).toMatch(/^\d+ entries and 1 memory entries then$/m)
  })

  it('sends requests with tools as printed, and has their cost', async () => {
    const [body = ''] = exampleWith('openStore(').split('await engine.close()')
    const server = await startModelServer()
    const call = { type: 'tool-call', name: 'read_file', input: { path: 'package.json' } } as const
    server.script({ reply: { blocks: [{ type: 'text', text: 'I look. ' }, call] } })
    try {
      const asking = exampleWith('requests.send(').replace(
        "provider: 'anthropic',",
        `provider: 'anthropic', baseUrl: '${server.url}',`,
      )
      writeFileSync(join(project, 'asking.ts'), `${body}\n${asking}\nawait engine.close()\n`)
      const stdout = await run('asking.ts', { ANTHROPIC_API_KEY: 'test-key' })
      expect(stdout).toMatch(/^I look\. claude-sonnet-5: \d+ tokens of output, \d+ nano-USD$/m)
      expect(server.requests.map(({ problem }) => problem)).toEqual([undefined, undefined])
      expect(server.requests[1]?.text).toContain('{\\"type\\":\\"module\\"}')
    } finally {
      await server.close()
    }
  })

  it('works on a task with tools as printed', async () => {
    const [body = ''] = exampleWith('openStore(').split('await engine.close()')
    const server = await startModelServer()
    const read = { type: 'tool-call', name: 'read_file', input: { path: 'package.json' } } as const
    const write = { type: 'tool-call', name: 'write_file', input: { path: 'b.txt', content: 'b' } } as const
    const answer = { type: 'text', text: 'It has no name.' } as const
    server.script({ reply: { blocks: [read] } }, { reply: { blocks: [write] } }, { reply: { blocks: [answer] } })
    try {
      const program = exampleWith('createAgent(').replace(
        "provider: 'anthropic',",
        `provider: 'anthropic', baseUrl: '${server.url}',`,
      )
      writeFileSync(join(project, 'whole.ts'), `${body}\n${program}\nawait engine.close()\n`)
      const stdout = await run('whole.ts', { ANTHROPIC_API_KEY: 'test-key' })
      expect(stdout).toMatch(/^▸ read package\.json\n▸ write b\.txt$/m)
      // The last request asks what was learnt.
      expect(stdout).toMatch(/^done 4 It has no name\.$/m)
      expect(server.requests.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined, undefined])
      expect(server.requests[1]?.text).toContain('{\\"type\\":\\"module\\"}')
      expect(readFileSync(join(project, 'b.txt'), 'utf8')).toBe('b')
    } finally {
      await server.close()
    }
  })
})
