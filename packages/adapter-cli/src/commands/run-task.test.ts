/** `runTask` in this process, with a model on loopback and a store of its own. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { startModelServer, type ModelServer } from '@cairn/core/testing'
import type { AgentCommandOptions } from '../agent/agent-options.ts'
import { createContext } from '../runtime/context.ts'
import { SILENT_TERMINAL } from '../testing/silent-terminal.ts'
import { runTask } from './run-task.ts'

let home: string
let server: ModelServer
beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-run-task-')))
  for (const name of ['one', 'two']) {
    mkdirSync(join(home, name))
    execFileSync('git', ['init', '--quiet'], { cwd: join(home, name) })
  }
  server = await startModelServer()
})
afterEach(async () => {
  await server.close()
  rmSync(home, { recursive: true })
})

interface Ran {
  readonly notes: readonly string[]
  readonly exitCode: number
}

/** Runs a task in the folder of this name; rejects as it does. */
const run = async (name: string, task: string | undefined, more: Partial<AgentCommandOptions> = {}): Promise<Ran> => {
  const notes: string[] = []
  const terminal = { ...SILENT_TERMINAL, note: (text: string) => void notes.push(text) }
  const variables = { ANTHROPIC_API_KEY: 'test-key', CAIRN_HOME: join(home, 'data') }
  const context = createContext(terminal, { variables, platform: process.platform, home, folder: join(home, name) })
  try {
    const model = { model: 'claude-sonnet-5', baseUrl: server.url }
    await runTask(task, { policy: 'cache-aware', preset: 'safe', ...model, ...more }, context)
    return { notes, exitCode: context.exitCode }
  } finally {
    await context.close()
  }
}
const hintOf = ({ notes }: Ran): string | undefined => notes.find((note) => note.startsWith('It goes on with:'))
const idIn = (hint: string | undefined): string => / --resume (\S+)/.exec(hint ?? '')?.[1] ?? ''
const writes = { type: 'tool-call' as const, name: 'write_file', input: { path: 'a.ts', content: 'a' } }

describe('how a run goes on', () => {
  it('is told where it was stopped or failed, and not where nothing is kept', async () => {
    server.script({ reply: { blocks: [writes] } }, { fault: { kind: 'refuse', as: 'quota' } })
    const stopped = await run('one', 'Write the file')
    expect(stopped.exitCode).toBe(3)
    expect(hintOf(stopped)).toMatch(/^It goes on with: cairn run --resume cairn:\S+ --base-url http:\S+$/)
    const failed = await run('one', 'Ask the model')
    expect(failed.exitCode).toBe(1)
    expect(hintOf(failed)).toMatch(/^It goes on with: cairn run --resume cairn:\S+ --base-url http:\S+$/)
    expect((await run('one', undefined, { resume: idIn(hintOf(stopped)), approve: 'all' })).exitCode).toBe(0)
    server.script({ reply: { blocks: [writes] } })
    const unseen = await run('one', 'Write the file', { incognito: true })
    expect(unseen.exitCode).toBe(3)
    expect(unseen.notes.join('\n')).toContain('needs an approval')
    expect(hintOf(unseen)).toBeUndefined()
  })

  it('is told with the provider, the address and the store that were given', async () => {
    server.script({ reply: { blocks: [writes] } })
    const given = { provider: 'anthropic', store: `file:${join(home, 'own.db')}` }
    const hint = hintOf(await run('one', 'Write the file', given))
    expect(hint?.replace(/--resume \S+/, '--resume ID')).toBe(
      `It goes on with: cairn run --resume ID --provider anthropic --base-url ${server.url} --store ${given.store}`,
    )
    expect((await run('one', undefined, { ...given, resume: idIn(hint), approve: 'all' })).exitCode).toBe(0)
  })

  it('is in its own project: the session of another one is refused, unless the folder is named', async () => {
    server.script({ reply: { blocks: [writes] } })
    const resume = idIn(hintOf(await run('one', 'Write the file')))
    const asked = server.requests.length
    await expect(run('two', undefined, { resume, approve: 'all' })).rejects.toMatchObject({
      code: 'usage',
      message: `The session ${resume} is of ${join(home, 'one')}: go on with it there, or name the folder to work in with --workspace.`,
    })
    expect(server.requests).toHaveLength(asked)
    const named = { resume, approve: 'all' as const, workspace: join(home, 'two') }
    expect((await run('one', undefined, named)).exitCode).toBe(0)
  })
})

it('--checkpoint is refused where no checkpoints are made, before anything is sent', async () => {
  mkdirSync(join(home, 'one/.cairn'))
  writeFileSync(join(home, 'one/.cairn/config.json'), '{"checkpoints":{"enabled":false}}')
  await expect(run('one', 'Write the file', { checkpoint: true })).rejects.toMatchObject({
    code: 'disabled',
    message: expect.stringMatching(/^No checkpoint was made, as checkpoints\.enabled is false in /),
  })
  expect(server.requests).toHaveLength(0)
})
