/** `cairn context docs` as a process: written with --yes alone, refreshed, and a person's words kept. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox, type Sandbox } from '../testing/run-cli.ts'
import { claudeLine } from '../testing/transcripts.ts'

interface Answer {
  readonly written: number
  readonly files: readonly {
    readonly document: string
    readonly path: string
    readonly status: string
    readonly sections: readonly { readonly id: string; readonly state: string }[]
    readonly diff: string
    readonly notes: readonly string[]
  }[]
}

let box: Sandbox
const pathOf = (name: string): string => join(box.folder, 'app', name)
const read = (name: string): string => readFileSync(pathOf(name), 'utf8')
const docs = (...args: readonly string[]) => box.cairn('context', 'docs', ...args, '--workspace', './app')
const answer = async (...args: readonly string[]): Promise<Answer> =>
  (await box.json('context', 'docs', ...args, '--workspace', './app')) as Answer
const git = (...options: readonly string[]): void => {
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...options], {
    cwd: join(box.folder, 'app'),
    env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  })
}

beforeEach(async () => {
  box = createSandbox()
  box.file('app/README.md', '# Shop\n\nSells tea to people.\n\n## Brewing\n')
  box.file('app/package.json', '{"description": "A tea shop", "scripts": {"test": "jest"}}')
  box.file('app/src/tea.ts', 'export const tea = 1\n')
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-qm', 'Black tea first')
  const line = claudeLine({
    session: 'talk',
    id: 'q1',
    cwd: `${box.folder}/app`,
    at: '2026-01-31T08:00:00.000Z',
    role: 'user',
    text: 'Brew the tea longer',
  })
  const from = box.file('home/.claude/projects/app/talk.jsonl', `${line}\n`)
  expect((await box.cairn('import', '--from', from)).code).toBe(0)
  expect((await box.cairn('memory', 'add', 'pattern', 'Prices are integers', '--workspace', './app')).code).toBe(0)
})
afterEach(() => box.remove())

describe('cairn context docs', () => {
  it('shows what it would write, and writes nothing before somebody says yes', async () => {
    const shown = await docs('init')
    expect(shown.code).toBe(3)
    expect(shown.stdout).toContain('+++ memory-bank/projectbrief.md\n')
    expect(shown.stdout).toContain('\n+A tea shop\n')
    expect(shown.stderr).toMatch(/^Nothing was written, as there is no terminal to ask at: add --yes/)
    expect((await answer('status')).files.map(({ status }) => status)).toEqual(
      Array.from({ length: 6 }, () => 'missing'),
    )
    expect((await docs('update')).stdout).toContain('There are no context documents in memory-bank/ yet')
    expect(existsSync(pathOf('memory-bank'))).toBe(false)
  })

  it('writes what is known into six files, and then has nothing to do', async () => {
    const made = await docs('init', '--yes')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toMatch(/\nTotal: 6 files written\n$/)
    expect(readdirSync(pathOf('memory-bank'))).toHaveLength(6)
    expect(read('memory-bank/projectbrief.md')).toMatch(/^# Project brief\n\n<!-- cairn:begin project /)
    expect(read('memory-bank/productContext.md')).toContain('Sells tea to people.')
    expect(read('memory-bank/activeContext.md')).toContain('Brew the tea longer')
    expect(read('memory-bank/systemPatterns.md')).toContain('- Prices are integers')
    expect(read('memory-bank/techContext.md')).toContain('`npm run test`: `jest`')
    expect(read('memory-bank/progress.md')).toContain('Black tea first')
    const again = await answer('update', '--yes')
    expect(again.written).toBe(0)
    expect(again.files.map(({ status, diff }) => [status, diff])).toEqual(
      Array.from({ length: 6 }, () => ['current', '']),
    )
  })

  it('refreshes its sections, keeps what a person wrote or changed, and says so', async () => {
    await docs('init', '--yes')
    const own = read('memory-bank/systemPatterns.md')
    writeFileSync(pathOf('memory-bank/systemPatterns.md'), `${own}\nMy own paragraph.\n`)
    writeFileSync(
      pathOf('memory-bank/activeContext.md'),
      read('memory-bank/activeContext.md').replace('None is set', 'I look at the kettle, none is set'),
    )
    await box.cairn('memory', 'add', 'pattern', 'Kettles are singletons', '--workspace', './app')
    await box.cairn('context', 'focus', 'src/tea.ts', '--workspace', './app')
    const status = await docs('status')
    expect(status.stdout).toMatch(/systemPatterns\.md +outdated +.*outdated: patterns/)
    expect(status.stdout).toMatch(/changed by you: focus/)
    expect(status.stdout.trimEnd().split('\n').at(-1)).toMatch(/^Total +6 files$/)
    const updated = await docs('update', '--yes')
    expect(updated.code).toBe(0)
    expect(updated.stderr).toMatch(/^memory-bank\/activeContext\.md: you changed the section focus, kept as written\./)
    expect(read('memory-bank/systemPatterns.md')).toContain('Kettles are singletons')
    expect(read('memory-bank/systemPatterns.md')).toMatch(/\nMy own paragraph\.\n$/)
    expect(read('memory-bank/activeContext.md')).toContain('I look at the kettle')
    expect(read('memory-bank/activeContext.md')).not.toContain('src/tea.ts')
  })

  it('says in its last line how many files were written, are up to date and are missing', async () => {
    const last = async (...args: readonly string[]): Promise<string> =>
      (await docs(...args, '--yes')).stdout.trimEnd().split('\n').at(-1) ?? ''
    await docs('init', '--yes')
    expect(await last('update')).toBe('Total: nothing to write · 6 up to date')
    await box.cairn('context', 'focus', 'src/tea.ts', '--workspace', './app')
    expect(await last('update')).toBe('Total: 1 file written · 5 up to date')
    rmSync(pathOf('memory-bank/progress.md'))
    expect(await last('update')).toBe('Total: nothing to write · 5 up to date · 1 missing (init makes it)')
    writeFileSync(pathOf('memory-bank/progress.md'), '<!-- cairn:begin commits 12ab -->\n')
    expect(await last('update')).toBe('Total: nothing to write · 5 up to date · 1 left as it is')
  })

  it('says that an ignore file leaves the folder out, before it is there and afterwards', async () => {
    box.file('app/.gitignore', 'private/\n')
    const note =
      'private/bank/ is ignored by .gitignore: git does not keep these files, and agents that heed ignore files do not read them.'
    const made = await docs('init', '--folder', 'private/bank')
    expect(made).toMatchObject({ code: 3, stderr: expect.stringContaining(note) })
    expect((await docs('init', '--folder', 'private/bank', '--yes')).stderr).toBe(`${note}\n`)
    expect((await docs('status')).stderr).toBe(`${note}\n`)
    expect((await docs('update', '--yes')).stderr).toBe('')
    expect(await answer('status')).toMatchObject({ ignoredBy: '.gitignore' })
    expect(await answer('init', '--folder', 'bank')).toMatchObject({ ignoredBy: null })
  })

  it('says once that a file is where its folder should be', async () => {
    expect(await docs('init', '--folder', 'README.md', '--yes')).toEqual({
      code: 1,
      stdout: 'Total: nothing to write · 6 left as they are\n',
      stderr: "README.md/ can't hold the documents: its folder is a file.\n",
    })
  })

  it('keeps the folder and the names that were given', async () => {
    expect((await docs('init', '--folder', 'docs/bank', '--name', 'progress=status.md', '--yes')).code).toBe(0)
    expect(readdirSync(pathOf('docs/bank'))).toContain('status.md')
    expect((await answer('status')).files.map(({ path }) => path)).toContain('docs/bank/status.md')
  })

  it('leaves damaged files alone, and says what is wrong in one sentence', async () => {
    box.file('app/memory-bank/progress.md', 'Mine\n<!-- cairn:begin commits 12ab -->\n')
    const made = await docs('init', '--yes')
    expect(made.code).toBe(1)
    expect(made.stderr).toBe(
      'memory-bank/progress.md is left as it is: its marks are damaged: the section "commits" has no end.\n',
    )
    expect(read('memory-bank/progress.md')).toBe('Mine\n<!-- cairn:begin commits 12ab -->\n')
    expect(existsSync(pathOf('memory-bank/techContext.md'))).toBe(true)
    for (const [args, sentence] of [
      [['init', '--folder', '../out'], 'folder of the project'],
      [['init', '--name', 'brief=x.md'], '--name takes a document'],
      [['init', '--name', 'progress=x.txt'], 'Markdown file'],
      [['refresh'], 'refresh'],
      [['init', '--name', 'progress=a.md', '--name', 'progress=b.md'], '--name gives progress more than one file'],
      [['status', '--yes'], 'status writes nothing'],
    ] as const) {
      const wrong = await docs(...args)
      expect([args, wrong.code]).toEqual([args, 2])
      expect(wrong.stderr).toContain(sentence)
    }
  })
})
