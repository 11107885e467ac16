/** The files over all sessions, as a process over a store. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { rmSync } from 'node:fs'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'

let box: Sandbox
const STORE = ['--store', 'file:s.db']

interface Document {
  readonly files: readonly {
    readonly path: string
    readonly workspace: string | null
    readonly edits: number
    readonly lastEdit: { readonly sessionId: string; readonly seq: number } | null
  }[]
  readonly total: number
}

/** A call of a tool as a line of a transcript; its session's folder is `/work/<session>`. */
const callLine = (session: string, second: number, name: string, path: string): string =>
  JSON.stringify({
    type: 'assistant',
    sessionId: session,
    cwd: `/work/${session}`,
    uuid: `${session}-${second}`,
    timestamp: new Date(Date.UTC(2026, 0, 31, 8, 0, second)).toISOString(),
    message: {
      id: `msg-${session}-${second}`,
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
      content: [{ type: 'tool_use', id: `toolu_${session}_${second}`, name, input: { file_path: path } }],
      usage: { input_tokens: 10, output_tokens: 5 },
    },
  })

const listed = async (...more: readonly string[]): Promise<Document> =>
  (await box.json('files', ...more, ...STORE)) as Document

describe('cairn files', () => {
  beforeAll(async () => {
    box = createSandbox()
    const write = (session: string, lines: readonly string[]): string =>
      box.file(`${session}.jsonl`, `${lines.join('\n')}\n`)
    write('one', [
      callLine('one', 1, 'Read', '/work/one/src/a.ts'),
      callLine('one', 2, 'Edit', '/work/one/src/a.ts'),
      callLine('one', 3, 'Edit', '/work/one/src/a.ts'),
      callLine('one', 4, 'Edit', '/work/one/src/b.ts'),
    ])
    write('two', [callLine('two', 5, 'Edit', '/work/two/src/a.ts')])
    for (const session of ['one', 'two']) await box.cairn('import', '--from', `${session}.jsonl`, ...STORE)
  })
  afterAll(() => rmSync(box.folder, { recursive: true, force: true }))

  it('names the most edited file, and the entry that edited it last', async () => {
    const { files, total } = await listed()
    expect(total).toBe(3)
    expect(files[0]).toMatchObject({ path: 'src/a.ts', workspace: '/work/one', edits: 2 })
    const { sessionId = '', seq = -1 } = files[0]?.lastEdit ?? {}
    const shown = await box.cairn(
      'session',
      'show',
      sessionId,
      `--message=#${seq}`,
      '--around',
      '0',
      '--json',
      ...STORE,
    )
    expect(shown.stdout).toContain('toolu_one_3')
  })

  it('gives parts of the whole list, by folder, words and order', async () => {
    const whole = await listed('--sort', 'last')
    expect(whole.files.map(({ path, workspace }) => `${workspace ?? ''}/${path}`)).toEqual([
      '/work/two/src/a.ts',
      '/work/one/src/b.ts',
      '/work/one/src/a.ts',
    ])
    expect(await listed('--sort', 'last', '--limit', '1', '--offset', '1')).toEqual({
      files: whole.files.slice(1, 2),
      total: 3,
    })
    expect((await listed('b.ts')).files.map(({ path }) => path)).toEqual(['src/b.ts'])
    expect((await listed('--project', '/work/two')).total).toBe(1)
    const { stdout } = await box.cairn('files', '--limit', '1', ...STORE)
    expect(stdout).toContain('3 files in all; the next ones: --offset 1')
  })

  it('says whether nothing matches, or nothing is there yet', async () => {
    expect(await box.cairn('files', 'nowhere.ts', ...STORE)).toMatchObject({
      code: 0,
      stdout: 'No tool of an agent read or edited such a file.\n',
    })
    expect((await box.cairn('files')).stdout).toBe('No files; take in what your agents did: cairn import\n')
  })
})
