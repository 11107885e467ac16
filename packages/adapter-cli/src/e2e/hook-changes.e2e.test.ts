/** What a prompt's hook tells an agent about files that were changed since it read them: real transcripts, files and git. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { importsDone, runHook } from '../testing/run-hook.ts'

const SESSION = '0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d11'
/** The session's beginning: a while ago, so that what is done now is later by any clock. */
const START = Date.now() - 600_000

let box: Sandbox
let project: string
let transcript: string
let lines = 0

const git = (...args: readonly string[]): void => {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false']
  const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd: project, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
const put = (name: string, text: string, at = START): void => {
  const path = join(project, name)
  writeFileSync(path, text)
  utimesSync(path, at / 1000, at / 1000)
}

beforeEach(() => {
  box = createSandbox()
  project = join(box.folder, 'project')
  mkdirSync(join(project, 'src'), { recursive: true })
  transcript = box.file(`home/.claude/projects/-project/${SESSION}.jsonl`, '')
  lines = 0
})
afterEach(async () => {
  await importsDone(box)
  box.remove()
})

/** A call and its result at seconds after the start. */
const toolLines = (seconds: number, name: string, input: object, took = 1): string => {
  const common = { sessionId: SESSION, cwd: project, gitBranch: 'main' }
  const id = `toolu_${(lines += 1)}`
  const at = (more: number): string => new Date(START + (seconds + more) * 1000).toISOString()
  const usage = { input_tokens: 10, output_tokens: 50 }
  const message = {
    id: `msg-${id}`,
    role: 'assistant',
    model: 'claude-sonnet-4-5-20250929',
    content: [{ type: 'tool_use', id, name, input }],
    usage,
  }
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] }
  return [
    { ...common, type: 'assistant', uuid: `call-${id}`, timestamp: at(0), requestId: `r-${id}`, message },
    { ...common, type: 'user', uuid: `result-${id}`, timestamp: at(took), message: result },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}
const reads = (seconds: number, name: string): string => toolLines(seconds, 'Read', { file_path: join(project, name) })
const record = (...texts: readonly string[]): void => appendFileSync(transcript, texts.join(''))

const input = (more: object): object => ({ session_id: SESSION, transcript_path: transcript, cwd: project, ...more })
const stop = async (): Promise<void> => {
  await runHook(box, ['stop'], { input: input({}) })
  await importsDone(box)
}
/** What the agent is told at a prompt. */
const told = async (): Promise<string> => {
  const { code, stdout, stderr } = await runHook(box, ['user-prompt-submit'], { input: input({ prompt: 'go on' }) })
  expect([code, stderr]).toEqual([0, ''])
  if (stdout === '') return ''
  const answer = JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } }
  return answer.hookSpecificOutput.additionalContext
}
const notice = (text: string): string => `<file_changes>\n${text}\n</file_changes>`

interface FilesDocument {
  readonly files: readonly {
    readonly path: string
    readonly state: string
    readonly disk: { readonly verdict: string | null } | null
  }[]
  readonly warnings: readonly object[]
}
const files = async (): Promise<FilesDocument> => (await box.json('session', 'files', SESSION)) as FilesDocument

describe('the hook of a prompt', () => {
  it('names the files that were changed since the agent read them, and by whom, once', async () => {
    git('init', '-q', '-b', 'main')
    put('by-git.ts', 'one\n')
    put('by-hand.ts', 'one\n')
    put('kept.ts', 'one\n')
    put('gone.ts', 'one\n')
    git('add', '.')
    git('commit', '-qm', 'one')
    git('checkout', '-qb', 'other')
    put('by-git.ts', 'two of another length\n')
    git('commit', '-qam', 'two')
    git('checkout', '-q', 'main')
    put('by-git.ts', 'one\n')
    git('status')
    record(...['by-git.ts', 'by-hand.ts', 'kept.ts', 'gone.ts'].map((name, index) => reads(10 + index * 5, name)))
    await stop()
    expect(await told()).toBe('')
    put('kept.ts', 'one\n', Date.now())
    put('by-hand.ts', 'by hand\n', Date.now())
    rmSync(join(project, 'gone.ts'))
    git('checkout', '-qf', 'other')
    rmSync(join(project, 'gone.ts'), { force: true })
    put('by-hand.ts', 'by hand\n', Date.now())
    expect(await told()).toBe(
      notice('Edited since you read them: gone.ts (removed), by-hand.ts (a person), by-git.ts (git).'),
    )
    expect(await told()).toBe('')
    const { files: all } = await files()
    expect(Object.fromEntries(all.map(({ path, disk }) => [path, disk?.verdict]))).toEqual({
      'gone.ts': 'unsure',
      'kept.ts': null,
      'by-hand.ts': 'person',
      'by-git.ts': 'git',
    })
    // Another change is told again.
    put('by-hand.ts', 'once more\n', Date.now())
    expect(await told()).toBe(notice('Edited since you read them: by-hand.ts (a person).'))
  })

  it('puts down to a command of the agent’s what it wrote while it ran', async () => {
    put('src/made.ts', 'one\n')
    put('other.ts', 'one\n')
    record(reads(10, 'src/made.ts'), reads(15, 'other.ts'))
    await stop()
    record(toolLines(60, 'Bash', { command: 'node make.mjs --out src/made.ts' }, 30))
    put('src/made.ts', 'two\n', START + 70_000)
    put('other.ts', 'two\n', START + 75_000)
    await stop()
    expect(await told()).toBe(notice('Edited since you read them: other.ts, src/made.ts (a command of yours).'))
    const { files: all } = await files()
    expect(Object.fromEntries(all.map(({ path, disk }) => [path, disk?.verdict]))).toEqual({
      'src/made.ts': 'agent-tool',
      'other.ts': 'unsure',
    })
  })

  it('says nothing while the agent’s own calls are not taken in, and then what holds', async () => {
    put('a.ts', 'one\n')
    record(reads(10, 'a.ts'))
    await stop()
    record(toolLines(500, 'Write', { file_path: join(project, 'a.ts'), content: 'by the agent\n' }))
    put('a.ts', 'by the agent\n', START + 501_000)
    expect(await told()).toBe('')
    await stop()
    expect(await told()).toBe('')
    put('a.ts', 'by the agent, and by hand\n', Date.now())
    expect(await told()).toBe(notice('Edited since you read them: a.ts (a person).'))
  })

  it('tells a warning that waits, and acknowledges it then', async () => {
    put('a.ts', 'one\n')
    record(toolLines(5, 'Read', { file_path: join(project, 'a.ts') }))
    record(toolLines(10, 'Write', { file_path: join(project, 'a.ts'), content: 'two\n' }))
    put('a.ts', 'two\n', START + 11_000)
    await stop()
    expect(await box.cairn('session', 'rewind', SESSION, '--to', 'result-toolu_1')).toMatchObject({ code: 0 })
    expect((await files()).warnings).toHaveLength(1)
    const text = await told()
    expect(text).toContain('the conversation was taken back, the files were not: a.ts may not be as you know them.')
    expect(await told()).not.toContain('taken back')
    await importsDone(box)
    expect((await files()).warnings).toEqual([])
  })

  it('reads no file behind a link out of the project, and is switched off by hooks.changes', async () => {
    put('a.ts', 'one\n')
    put('b.ts', 'one\n')
    record(reads(10, 'a.ts'), reads(20, 'b.ts'))
    await stop()
    rmSync(join(project, 'a.ts'))
    symlinkSync(box.file('outside.txt', 'secret\n'), join(project, 'a.ts'))
    put('b.ts', 'two\n', Date.now())
    expect((await files()).files.map(({ path, disk }) => [path, disk === null])).toEqual([
      ['b.ts', false],
      ['a.ts', true],
    ])
    expect((await box.cairn('config', 'set', 'hooks.changes', 'false')).code).toBe(0)
    expect(await told()).toBe('')
    await box.cairn('config', 'set', 'hooks.changes', 'true')
    expect(await told()).toBe(notice('Edited since you read them: b.ts (a person).'))
    expect(readdirSync(join(box.folder, 'data', 'told-changes'))).toHaveLength(1)
  })
})
