/** `cairn context rules` as a process: listed, for a file, switched in a real store. */
import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startModelServer } from '@cairn/core/testing'
import { createSandbox, type Sandbox } from '../testing/run-cli.ts'
import { claudeLine } from '../testing/transcripts.ts'

interface Listed {
  readonly file: string | null
  readonly tokens: number
  readonly rules: readonly { readonly id: string; readonly applies: boolean; readonly tokens: number }[]
}

let box: Sandbox
const rules = (...options: readonly string[]) => box.cairn('context', 'rules', '--workspace', './app', ...options)
const listed = async (...options: readonly string[]): Promise<Listed> =>
  (await box.json('context', 'rules', '--workspace', './app', ...options)) as Listed

beforeAll(() => {
  box = createSandbox({ ANTHROPIC_API_KEY: 'test-key' })
  // A project, whatever the temporary folder lies in.
  box.file('app/.git/HEAD', 'ref: refs/heads/main\n')
  box.file('app/AGENTS.md', 'Use tabs.\n')
  box.file('app/CLAUDE.md', 'Use tabs.\n')
  box.file('app/.cursor/rules/ts.mdc', '---\nglobs: *.ts\n---\nNo any.\n')
  box.file('app/.clinerules/workflows/pr.md', 'Opens a pull request\n')
  box.file('app/src/a.ts', 'x\n')
})
afterAll(() => box.remove())

describe('cairn context rules', () => {
  it('lists rules with their scope and tokens, the same text once, and prompts', async () => {
    const { code, stdout } = await rules()
    expect(code).toBe(0)
    expect(stdout).toMatch(/^AGENTS\.md +always +4/m)
    expect(stdout).toMatch(/^CLAUDE\.md +always +0 +in AGENTS\.md/m)
    expect(stdout).toMatch(/^\.cursor\/rules\/ts\.mdc +\*\.ts +3/m)
    expect(stdout).toMatch(/^Total +always +4 +1 of 3 files/m)
    expect(stdout).toContain('/pr  Opens a pull request (.clinerules/workflows/pr.md, 8 tokens)')
  })

  it('tells which hold for a file', async () => {
    const { file, rules: all, tokens } = await listed('--file', 'src/a.ts')
    expect(file).toBe('src/a.ts')
    expect(all.filter(({ applies }) => applies).map(({ id }) => id)).toEqual(['AGENTS.md', '.cursor/rules/ts.mdc'])
    expect(tokens).toBe(7)
    expect((await rules('--file', '../../x')).code).toBe(2)
  })

  it('says in one sentence for which files no rules are sent', async () => {
    box.file('app/.cairnignore', 'private/\n')
    box.file('app/private/b.ts', 'x\n')
    execFileSync('mkfifo', [join(box.folder, 'app/pipe.ts')])
    symlinkSync('../home', join(box.folder, 'app/out.ts'))
    writeFileSync(join(box.folder, 'outside.ts'), 'x\n')
    symlinkSync('../outside.ts', join(box.folder, 'app/link.ts'))
    for (const [file, sentence] of [
      ['src', 'src is a folder, not a file: no rules are sent for it.'],
      ['.', '. is a folder, not a file: no rules are sent for it.'],
      ['pipe.ts', 'pipe.ts is no regular file: no rules are sent for it.'],
      ['private/b.ts', 'private/b.ts is ignored by .cairnignore: no rules are sent for it.'],
      ['private/new.ts', 'private/new.ts is ignored by .cairnignore: no rules are sent for it.'],
      ['link.ts', 'link.ts is outside of the project, or a link leads there: no rules are sent for it.'],
    ] as const)
      expect(await rules('--file', file)).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` })
    expect((await rules('--file', 'src/not-yet.ts')).stdout).toMatch(/^Total +for src\/not-yet\.ts/m)
    for (const path of ['pipe.ts', 'out.ts', 'link.ts', '.cairnignore', 'private/b.ts'])
      rmSync(join(box.folder, 'app', path))
  })

  it('lists a file whose name holds a line break on one line', async () => {
    const path = box.file('app/.cursor/rules/two\nlines.mdc', 'Odd.\n')
    expect((await rules()).stdout).toMatch(/^\.cursor\/rules\/two lines\.mdc +always +2$/m)
    const off = await rules('--off', '.cursor/rules/two lines.mdc')
    expect(off).toMatchObject({ code: 0, stdout: '.cursor/rules/two lines.mdc is off in app.\n' })
    rmSync(path)
  })

  it('refuses options that a switch would pass over', async () => {
    for (const option of [['--file', 'src/a.ts'], ['--show']])
      expect(await rules('--off', 'AGENTS.md', ...option)).toMatchObject({
        code: 2,
        stderr: `--off only switches a rules file; leave out ${option[0]}.\n`,
      })
  })

  it('switches one off and on in this project', async () => {
    expect(await rules('--off', 'AGENTS.md')).toMatchObject({ code: 0, stdout: 'AGENTS.md is off in app.\n' })
    expect((await listed()).rules).toMatchObject([
      { id: 'AGENTS.md', applies: false, tokens: 0 },
      { id: 'CLAUDE.md', applies: true, tokens: 4 },
      { id: '.cursor/rules/ts.mdc', applies: false },
    ])
    expect(await rules('--on', 'AGENTS.md')).toMatchObject({ code: 0, stdout: 'AGENTS.md is on in app.\n' })
    expect((await listed()).rules[0]).toMatchObject({ applies: true })
    const { code, stderr } = await rules('--off', 'nothing.md')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('No rules file of this project') })
  })

  it('are sent with the language to a model that is asked in a session of the project, those that are on', async () => {
    const at = '2026-01-31T08:00:00.000Z'
    const line = claudeLine({ session: 'talk', id: 'q1', cwd: `${box.folder}/app`, at, role: 'user', text: 'Tabs?' })
    const from = box.file('home/.claude/projects/app/talk.jsonl', `${line}\n`)
    expect((await box.cairn('import', '--from', from)).code).toBe(0)
    await box.cairn('config', 'set', 'language', 'German')
    const server = await startModelServer()
    const send = (text: string, ...more: readonly string[]) =>
      box.json('context', 'send', 'talk', text, '--model', 'claude-sonnet-5', '--base-url', server.url, ...more)
    try {
      expect(await send('And?')).toMatchObject({ rules: ['AGENTS.md'] })
      expect(await send('And now?', '--no-rules')).toMatchObject({ rules: [] })
      await rules('--off', 'AGENTS.md')
      await rules('--off', 'CLAUDE.md')
      expect(await send('And then?')).toMatchObject({ rules: [] })
    } finally {
      await server.close()
    }
    const [withRules = '', ...without] = server.requests.map(({ body }) => JSON.stringify(body))
    expect(withRules).toMatch(/Answer in this language: German\.[^]*<project_rules>[^]*From AGENTS\.md:[^]*Use tabs\./)
    expect(withRules).not.toContain('No any.')
    for (const text of without) expect(text).not.toContain('project_rules')
  })
})
