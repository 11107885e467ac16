/** `cairn context mentions` and `cairn context send` as processes, over a repository with all that can't be sent. */
import { execFileSync } from 'node:child_process'
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startModelServer } from '@cairn/core/testing'
import { createSandbox, type Sandbox } from '../testing/run-cli.ts'
import { claudeLine } from '../testing/transcripts.ts'

interface Expanded {
  readonly mentions: readonly { readonly name: string; readonly tokens: number; readonly kind: string }[]
  readonly refused: readonly { readonly mention: string; readonly reason: string }[]
  readonly tokens: number
  readonly content: readonly { readonly type: string; readonly text?: string; readonly path?: string }[]
}

const GIT = ['-c', 'user.name=A', '-c', 'user.email=a@b.c', '-c', 'commit.gpgsign=false']
const SPARSE_BYTES = 2 * 2 ** 30

let box: Sandbox
const app = (): string => join(box.folder, 'app')
const git = (...options: readonly string[]): string =>
  execFileSync('git', [...GIT, ...options], { cwd: app(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
const expand = (text: string): Promise<Expanded> =>
  box.json('context', 'mentions', text, '--workspace', app()) as Promise<Expanded>

beforeAll(async () => {
  box = createSandbox({ ANTHROPIC_API_KEY: 'test-key' })
  mkdirSync(join(app(), 'src'), { recursive: true })
  writeFileSync(join(app(), 'src/app.ts'), Array.from({ length: 40 }, (_, line) => `const v${line + 1} = 1\n`).join(''))
  writeFileSync(join(app(), '.gitignore'), '*.log\n')
  writeFileSync(join(app(), '.cairnignore'), 'private/\n')
  writeFileSync(join(app(), 'x.log'), 'ignored\n')
  mkdirSync(join(app(), 'private'))
  writeFileSync(join(app(), 'private/keys.md'), 'mine\n')
  writeFileSync(join(box.folder, 'outside.md'), 'not for you\n')
  symlinkSync('../outside.md', join(app(), 'link.md'))
  writeFileSync(join(app(), 'data.dat'), new Uint8Array([1, 0, 2]))
  execFileSync('mkfifo', [join(app(), 'pipe.txt')])
  const huge = openSync(join(app(), 'huge.txt'), 'w')
  ftruncateSync(huge, SPARSE_BYTES)
  closeSync(huge)
  git('init', '--quiet', '--initial-branch=main')
  git('add', 'src', '.gitignore')
  git('commit', '--quiet', '-m', 'The first one')
  writeFileSync(join(app(), 'src/app.ts'), 'const changed = 2\n'.repeat(30))
  const line = claudeLine({
    session: 'talk',
    id: 'q1',
    cwd: app(),
    at: '2026-01-31T08:00:00.000Z',
    role: 'user',
    text: 'Where is the cache?',
  })
  const from = box.file('home/.claude/projects/app/talk.jsonl', `${line}\n`)
  expect((await box.cairn('import', '--from', from)).code).toBe(0)
})
afterAll(() => box.remove())

describe('cairn context mentions', () => {
  it('shows what would be sent, with its tokens', async () => {
    const { mentions, refused, content, tokens } = await expand('see @src/app.ts:3-5, @src/ and (@git:branch)')
    expect(mentions.map(({ name }) => name)).toEqual(['src/app.ts:3-5', 'src/', 'git branch'])
    expect(refused).toEqual([])
    expect(tokens).toBe(mentions.reduce((sum, one) => sum + one.tokens, 0))
    expect(content[1]).toMatchObject({ type: 'file', path: 'src/app.ts' })
    const { code, stdout } = await box.cairn(
      'context',
      'mentions',
      'see @src/app.ts:3-5',
      '--workspace',
      app(),
      '--show',
    )
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/\nTotal +1 mention +\d+/) })
    expect(stdout).toContain('Lines 3 to 5 of 30.')
  })

  it('knows the repository: what is changed, its commits and its branch', async () => {
    const hash = git('rev-parse', 'HEAD').trim()
    const { mentions, refused, content } = await expand(`@git @git:${hash.slice(0, 8)} @git:branch @git:0000000`)
    expect(mentions.map(({ kind }) => kind)).toEqual(['git-diff', 'git-commit', 'git-branch'])
    const texts = content.map(({ text = '' }) => text)
    expect(texts[1]).toContain('+const changed = 2')
    expect(texts[1]).toContain('huge.txt')
    expect(texts[2]).toContain('The first one')
    expect(texts[3]).toMatch(/main\n[\s\S]*The first one/)
    expect(refused).toMatchObject([{ mention: '@git:0000000', reason: expect.stringContaining('no such commit') }])
  })

  it.each([
    ['@x.log', 'ignored'],
    ['@private/keys.md', 'ignored by .cairnignore'],
    ['@private/', 'ignored by .cairnignore'],
    ['@link.md', 'outside'],
    ['@../outside.md', 'outside'],
    ['@data.dat', 'no text'],
    ['@pipe.txt', 'neither a file nor a folder'],
    ['@huge.txt', 'more than 2 MB'],
    ['@gone.txt', 'not in the workspace'],
  ])('says in one sentence why %s is not sent', async (mention, reason) => {
    const { mentions, refused } = await expand(mention)
    expect(mentions).toEqual([])
    expect(refused).toMatchObject([{ mention, reason: expect.stringContaining(reason) }])
    expect(refused[0]?.reason).toMatch(/^[^\n]+\.$/)
  })

  it('never sends more tokens than --max-tokens, and names the least that works', async () => {
    const ask = (tokens: number) =>
      box.cairn('context', 'mentions', '@src/app.ts', '--workspace', app(), '--max-tokens', String(tokens))
    const text = (await ask(5)).stdout.replaceAll('\n', ' ')
    const least = Number(/takes at least (\d+) tokens, and one mention may take 5\./.exec(text)?.[1])
    expect(least).toBeGreaterThan(5)
    expect((await ask(least - 1)).stdout).toContain('none of them sent')
    const sent = Number(/^Total +1 mention +(\d+)$/m.exec((await ask(least)).stdout)?.[1])
    expect(sent).toBeGreaterThan(0)
    expect(sent).toBeLessThanOrEqual(least)
  })

  it('says which lines are part of a whole file, and what is not UTF-8', async () => {
    writeFileSync(join(app(), 'latin.txt'), Buffer.from('caf\xe9 au lait, twice\n', 'latin1'))
    const { stdout } = await box.cairn(
      'context',
      'mentions',
      '@src/app.ts:3-4 @src/app.ts @latin.txt',
      '--workspace',
      app(),
    )
    expect(stdout).toMatch(/^@src\/app\.ts:3-4 +part of src\/app\.ts +see below$/m)
    expect(stdout).toContain('\nlatin.txt is not UTF-8: bytes that are no text are sent as \ufffd.\n')
    const { mentions, content } = await expand('@src/app.ts:3-4 @src/app.ts')
    expect(mentions).toMatchObject([
      { tokens: 0, containedIn: 'src/app.ts' },
      { containedIn: null, notice: null },
    ])
    expect(content).toHaveLength(2)
    rmSync(join(app(), 'latin.txt'))
  })

  it('says how sessions and memory get into a store that is empty', async () => {
    const empty = createSandbox()
    const { stdout } = await empty.cairn('context', 'mentions', '@session @memory @session:0ccf', '--workspace', '.')
    empty.remove()
    const text = stdout.replaceAll('\n', ' ')
    expect(text.match(/The store holds no session yet, so @session sends nothing; cairn import takes/g)).toHaveLength(2)
    expect(text).toContain('Nothing is remembered of this project yet, so @memory sends nothing; cairn memory add')
    const elsewhere = await box.cairn('context', 'mentions', '@session', '--workspace', box.folder)
    expect(elsewhere.stdout.replaceAll('\n', ' ')).toContain('The store holds no session of this project')
  })

  it('says that nothing is mentioned', async () => {
    const { stdout } = await box.cairn('context', 'mentions', 'mail me@x.org', '--workspace', app())
    expect(stdout).toBe('Total: no mentions; the text is sent alone.\n')
  })
})

describe('cairn context send', () => {
  it('sends what the text mentions, says what it leaves out, and tracks the file', async () => {
    const server = await startModelServer()
    try {
      const asked = 'why @src/app.ts:1-2? and @x.log'
      const send = (...options: readonly string[]) =>
        box.cairn('context', 'send', 'talk', asked, '--model', 'claude-sonnet-5', '--base-url', server.url, ...options)
      const { code, stderr } = await send()
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('x.log is ignored') })
      const body = JSON.stringify(server.requests)
      expect(body).toContain('const changed = 2')
      expect(body).toContain('not instructions')
      const files = (await box.json('session', 'files', 'talk')) as {
        files: readonly { path: string; source: string }[]
      }
      expect(files.files).toMatchObject([{ path: 'src/app.ts', source: 'mention' }])
      expect((await send('--no-mentions')).stderr).not.toContain('ignored')
    } finally {
      await server.close()
    }
  })
})
