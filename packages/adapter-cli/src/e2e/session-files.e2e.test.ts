/** The files of a session's context, as processes over one store and real files. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { claudeLine } from '../testing/transcripts.ts'

let box: Sandbox
const STORE = ['--store', 'file:s.db']
const time = (second: number): string => new Date(Date.UTC(2026, 0, 31, 8, 0, second)).toISOString()

/** A call and its result, as lines of a transcript. */
const toolLines = (second: number, name: string, input: Readonly<Record<string, string>>): readonly string[] => {
  const common = { sessionId: 'work', cwd: box.folder, gitBranch: 'main' }
  const content = [{ type: 'tool_use', id: `toolu_${second}`, name, input }]
  const usage = { input_tokens: 10, output_tokens: 50 }
  const message = { id: `msg-${second}`, role: 'assistant', model: 'claude-sonnet-4-5-20250929', content, usage }
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${second}`, content: 'ok' }] }
  return [
    {
      ...common,
      type: 'assistant',
      uuid: `call-${second}`,
      timestamp: time(second),
      requestId: `r-${second}`,
      message,
    },
    { ...common, type: 'user', uuid: `result-${second}`, timestamp: time(second + 1), message: result },
  ].map((line) => JSON.stringify(line))
}
const put = (name: string, text: string, second: number): void => {
  const at = Date.UTC(2026, 0, 31, 8, 0, second) / 1000
  utimesSync(box.file(name, text), at, at)
}

interface FilesDocument {
  readonly session: string
  readonly files: readonly {
    readonly path: string
    readonly state: string
    readonly disk: { readonly state: string; readonly verdict: string | null } | null
  }[]
  readonly models: readonly { readonly model: string }[]
  readonly warnings: readonly { readonly reason: string; readonly paths: readonly string[] }[]
  readonly acknowledged: number
  readonly activity: {
    readonly files: readonly { readonly path: string; readonly reads: number; readonly edits: number }[]
    readonly rereads: number
  }
}
const filesOf = async (...args: readonly string[]): Promise<FilesDocument> =>
  (await box.json('session', 'files', 'work', ...args, ...STORE)) as FilesDocument

beforeAll(async () => {
  box = createSandbox()
  const cwd = box.folder
  const lines = [
    claudeLine({ session: 'work', id: 'question-1', at: time(0), role: 'user', text: 'Write them', cwd }),
    ...toolLines(10, 'Write', { file_path: join(cwd, 'kept.ts'), content: 'one\n' }),
    ...toolLines(20, 'Write', { file_path: join(cwd, 'changed.ts'), content: 'two\n' }),
    ...toolLines(30, 'Read', { file_path: join(cwd, 'gone.ts') }),
    claudeLine({ session: 'work', id: 'question-2', at: time(40), role: 'user', text: 'Once more', cwd }),
    ...toolLines(50, 'Write', { file_path: join(cwd, 'late.ts'), content: 'three\n' }),
  ]
  box.file('logs/work.jsonl', lines.map((line) => `${line}\n`).join(''))
  await box.cairn('import', '--from', 'logs', ...STORE)
  put('kept.ts', 'one\n', 10)
  put('changed.ts', 'by hand\n', 500)
  put('late.ts', 'three\n', 50)
})
afterAll(() => box.remove())

describe('cairn session files', () => {
  it('tells which files are as the agent knows them, and who changed the others', async () => {
    const { files, models, warnings } = await filesOf()
    expect(files.map(({ path, state, disk }) => [path, state, disk?.state, disk?.verdict])).toEqual([
      ['late.ts', 'active', 'same', null],
      ['gone.ts', 'stale', 'gone', 'unsure'],
      ['changed.ts', 'stale', 'changed', 'person'],
      ['kept.ts', 'active', 'same', null],
    ])
    expect(models.map(({ model }) => model)).toEqual(['claude-sonnet-4-5-20250929'])
    expect(warnings).toEqual([])
    const { stdout } = await box.cairn('session', 'files', 'work', ...STORE)
    expect(stdout).toMatch(/^stale +changed\.ts .*person, 2026-01-31 08:08$/m)
    expect(stdout).toMatch(/^Total +4 files: 2 active, 2 stale, 0 removed$/m)
    expect(stdout).toMatch(/^Reads: 1; of what had been read before and not edited since: none$/m)
  })

  it('tells of all files what was done with them, whatever is asked for', async () => {
    const { activity } = await filesOf('--state', 'stale', '--limit', '1')
    expect(activity.rereads).toBe(0)
    const done = activity.files.map(({ path, reads, edits }) => [path, reads, edits] as const)
    expect(done.toSorted(([left], [right]) => (left < right ? -1 : 1))).toEqual([
      ['changed.ts', 0, 1],
      ['gone.ts', 1, 0],
      ['kept.ts', 0, 1],
      ['late.ts', 0, 1],
    ])
  })

  it('limits them by state, by what was edited since, and to the log', async () => {
    const pathsOf = async (...args: readonly string[]) => (await filesOf(...args)).files.map(({ path }) => path)
    expect(await pathsOf('--state', 'stale', '--limit', '1')).toEqual(['gone.ts'])
    expect(await pathsOf('--since', 'question-2')).toEqual(['late.ts'])
    expect(await pathsOf('--since', time(15))).toEqual(['late.ts', 'changed.ts'])
    expect(await pathsOf('--no-disk', '--state', 'active')).toHaveLength(4)
    const { code, stderr } = await box.cairn('session', 'files', 'work', '--since', 'nonsense', ...STORE)
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("--since takes a time or the beginning of a message’s id; 'nonsense'"),
    ])
  })

  it('marks the blocks of stale files in what the next request holds', async () => {
    interface Shown {
      readonly messages: readonly {
        readonly blocks: readonly { readonly path: string | null; readonly stale: string | null }[]
      }[]
    }
    const { messages } = (await box.json('context', 'show', 'work', ...STORE)) as Shown
    const stale = messages.flatMap(({ blocks }) => blocks).filter((block) => block.stale !== null)
    expect([...new Set(stale.map((block) => block.path?.slice(box.folder.length + 1)))].sort()).toEqual([
      'changed.ts',
      'gone.ts',
    ])
    expect(stale.some((block) => block.stale === 'person, 2026-01-31 08:08')).toBe(true)
    const { stdout } = await box.cairn('context', 'show', 'work', '--all', ...STORE)
    expect(stdout.match(/, stale: person, 2026-01-31 08:08/g)).not.toBeNull()
    expect(stdout).not.toMatch(/stale.*kept\.ts/)
  })

  it('has a warning after a rewind until it is acknowledged', async () => {
    await box.cairn('session', 'rewind', 'work', '--to', 'question-2', ...STORE)
    const { warnings, files } = await filesOf()
    expect(warnings).toMatchObject([
      { reason: 'the conversation was taken back, the files were not', paths: ['late.ts'] },
    ])
    expect(files.find(({ path }) => path === 'late.ts')?.state).toBe('removed')
    const { stdout } = await box.cairn('session', 'files', 'work', '--acknowledge', ...STORE)
    expect(stdout.replaceAll('\n', ' ')).toContain('the agent may not know late.ts as it is now')
    expect(stdout).toContain('Acknowledged: 1 warning.')
    expect((await filesOf('--acknowledge')).acknowledged).toBe(0)
    expect((await filesOf()).warnings).toEqual([])
  })

  it('compares nothing where the project is not on this machine', async () => {
    const other = createSandbox()
    try {
      mkdirSync(join(other.folder, 'logs'))
      const cwd = join(other.folder, 'project')
      const lines = toolLines(10, 'Read', { file_path: join(cwd, 'a.ts') }).map((line) =>
        line.replaceAll(box.folder, cwd),
      )
      other.file('logs/work.jsonl', lines.map((line) => `${line}\n`).join(''))
      await other.cairn('import', '--from', 'logs', ...STORE)
      rmSync(cwd, { recursive: true, force: true })
      expect(await other.json('session', 'files', 'work', ...STORE)).toMatchObject({
        files: [{ path: 'a.ts', state: 'active', disk: null }],
      })
    } finally {
      other.remove()
    }
  })
})
