/** `cairn import` as a process: what it takes in, what it leaves out, and how it says so. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { claudeLine, claudeSession } from '../testing/transcripts.ts'

let box: Sandbox

beforeEach(() => {
  box = createSandbox()
})

afterEach(() => box.remove())

const STORE = ['--store', 'file:s.db']

describe('import', () => {
  it('imports new lines only', async () => {
    const path = box.file('logs/a.jsonl', claudeSession('a'))
    expect(await box.json('import', '--from', 'logs', ...STORE)).toMatchObject({
      files: 1,
      sessions: 1,
      messages: 2,
      requests: 1,
      skipped: [],
    })
    expect(await box.json('import', '--from', 'logs', ...STORE)).toMatchObject({
      files: 0,
      sessions: 0,
      messages: 0,
      requests: 0,
      skipped: [],
    })
    box.file(
      'logs/a.jsonl',
      `${claudeSession('a')}${claudeLine({ session: 'a', id: 'a-3', at: '2026-01-31T08:01:00.000Z', text: 'Fixed.' })}\n`,
    )
    expect(await box.json('import', '--from', path, ...STORE)).toMatchObject({
      files: 1,
      sessions: 0,
      messages: 1,
      requests: 1,
      skipped: [],
    })
  })

  it('reports what it did, without a progress bar in a pipe', async () => {
    box.file('logs/a.jsonl', claudeSession('a'))
    const { code, stdout, stderr } = await box.cairn('import', '--from', 'logs', ...STORE)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Read 1 file in .*: 1 new session, 2 new messages, 1 new request\.$/m)
    expect(stdout).toContain(`Store: ${join(box.folder, 's.db')}`)
    const again = await box.cairn('import', '--from', 'logs', ...STORE)
    expect(again.stdout).toMatch(/^Nothing new\. The store holds 1 session: /)
  })

  it('names what it leaves out, and imports the rest', async () => {
    box.file('logs/good.jsonl', claudeSession('good'))
    box.file('logs/empty.jsonl', '')
    box.file('logs/binary.jsonl', new Uint8Array([0, 1, 2, 3, 255]))
    box.file('logs/damaged.jsonl', `${claudeSession('damaged')}{"type":"assis\n`)
    box.file('logs/cut.jsonl', `${claudeSession('cut')}{"type":"assistant","uu`)
    symlinkSync(join(box.folder, 'nowhere'), join(box.folder, 'logs/dangling.jsonl'))
    const { code, stdout } = await box.cairn('import', '--agent', 'claude-code', '--from', 'logs', '--json', ...STORE)
    expect(code).toBe(0)
    const { sessions, skipped } = JSON.parse(stdout) as {
      readonly sessions: number
      readonly skipped: readonly { readonly file: string; readonly line?: number; readonly reason: string }[]
    }
    expect(sessions).toBe(3)
    const reasons = Object.fromEntries(
      skipped.map(({ file, reason }) => [file.slice(join(box.folder, 'logs').length + 1), reason]),
    )
    expect(Object.keys(reasons).sort()).toEqual([
      'binary.jsonl',
      'cut.jsonl',
      'damaged.jsonl',
      'dangling.jsonl',
      'empty.jsonl',
    ])
    expect(skipped.find(({ file }) => file.endsWith('damaged.jsonl'))?.line).toBe(3)
    expect(reasons['cut.jsonl']).toMatch(/tried again/)
  })

  it('says in its help whose sessions lie in the projects, where they are not looked for', async () => {
    expect((await box.cairn('import', '--help')).stdout).toContain('CLIO keep their transcripts in the projects: name')
  })

  it('refuses wrong arguments with one sentence and exit code 2', async () => {
    const unknown = await box.cairn('import', '--agent', 'claud', ...STORE)
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toMatch(/^There is no agent "claud"; supported are claude-code, .*\n$/)
    const planned = await box.cairn('import', '--agent', 'vscode', '--json', ...STORE)
    expect(planned.code).toBe(2)
    expect(JSON.parse(planned.stdout)).toMatchObject({ error: { code: 'unsupported' } })
    const missing = await box.cairn('import', '--from', 'nowhere', ...STORE)
    expect({ code: missing.code, stdout: missing.stdout }).toEqual({ code: 2, stdout: '' })
    expect(missing.stderr).toMatch(/^There is no file or folder .*nowhere; nothing was imported\.\n$/)
    expect(existsSync(join(box.folder, 's.db'))).toBe(false)
  })

  it('imports the existing folders when one of several is missing', async () => {
    box.file('logs/a.jsonl', claudeSession('a'))
    const { code, stdout, stderr } = await box.cairn(
      'import',
      '--from',
      'logs',
      '--from',
      'nowhere',
      '--json',
      ...STORE,
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ sessions: 1 })
    expect(stderr).toMatch(/nowhere; the others are imported/)
  })

  it('finds transcripts in the usual folders of agents', async () => {
    box.file('home/.claude/projects/-code-app/a.jsonl', claudeSession('a'))
    expect(await box.json('import', '--dry-run')).toMatchObject({
      files: 1,
      agents: [{ agent: 'claude-code', files: 1 }],
    })
    expect(existsSync(join(box.folder, 'data'))).toBe(false)
    expect(await box.json('import')).toMatchObject({ files: 1, sessions: 1 })
    expect(readdirSync(join(box.folder, 'data'))).toContain('cairn.db')
  })

  it('says so when nothing could be read, and which commands come next when something was', async () => {
    box.file('logs/binary.jsonl', new Uint8Array([0, 1, 2, 3, 255]))
    const vain = await box.cairn('import', '--agent', 'claude-code', '--from', 'logs', ...STORE)
    expect(vain.code).toBe(0)
    expect(vain.stdout).toMatch(/^Nothing could be read\.$/m)
    expect(vain.stdout).not.toContain('Next:')
    box.file('logs/a.jsonl', claudeSession('a') + '{"broken\n'.repeat(9))
    const { stdout } = await box.cairn('import', '--from', 'logs', ...STORE)
    expect(stdout).toMatch(/^Next: cairn usage --store file:s\.db$/m)
    expect(stdout.replace(/\s+/g, ' ')).toContain('a.jsonl: not valid JSON (from line 3 on, 9 times)')
    const again = await box.cairn('import', '--from', 'logs/binary.jsonl', ...STORE)
    expect(again.stdout).toMatch(/^Nothing new could be read\.$/m)
    expect((await box.cairn('import', '--from', '', ...STORE)).code).toBe(2)
  })

  it('refers to --json for what it does not show', async () => {
    for (let file = 0; file < 22; file++) box.file(`logs/${file}.jsonl`, `${claudeSession(`s${file}`)}{"broken\n`)
    const { stdout } = await box.cairn('import', '--from', 'logs', ...STORE)
    expect(stdout).toContain('… and 2 more (--json names all).')
  })

  it('gives the same totals when two imports run at once', async () => {
    for (let file = 0; file < 12; file++)
      box.file(
        `logs/${file}.jsonl`,
        Array.from(
          { length: 40 },
          (_, line) =>
            `${claudeLine({ session: `s${file}`, id: `${file}-${line}`, at: '2026-01-31T08:00:00.000Z', text: `answer ${line}` })}\n`,
        ).join(''),
      )
    const runs = await Promise.all([
      box.cairn('import', '--from', 'logs', ...STORE),
      box.cairn('import', '--from', 'logs', ...STORE),
    ])
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ])
    expect(await box.json('usage', '--by', 'agent', ...STORE)).toMatchObject({
      total: { requests: 480, outputTokens: 480 * 50 },
    })
    expect((await box.cairn('doctor', ...STORE)).code).toBe(0)
  })

  it('ends when its output is closed', async () => {
    box.file('logs/a.jsonl', claudeSession('a'))
    await box.cairn('import', '--from', 'logs', ...STORE)
    const bin = new URL('../../bin/cairn.js', import.meta.url).pathname
    const code = await new Promise((resolve) => {
      const child = spawn(process.execPath, [bin, 'session', 'export', 'a', '--format', 'json', ...STORE], {
        cwd: box.folder,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      child.stdout.destroy()
      child.on('close', resolve)
    })
    expect(code).toBe(0)
  })
})

describe("a store that can't be used", () => {
  it('from a newer version is refused and left untouched', async () => {
    await box.cairn('import', '--from', box.folder, ...STORE)
    const database = new DatabaseSync(join(box.folder, 's.db'))
    database.exec(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count) VALUES ('x', 'x', '29990101000000_later', 0, 0, 1)",
    )
    database.close()
    const { code, stdout, stderr } = await box.cairn('usage', ...STORE)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/newer version of Cairn.*left untouched/)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it("in a folder that can't be created is reported in one sentence", async () => {
    box.file('occupied', 'a file')
    const { code, stderr } = await box.cairn('import', '--store', 'file:occupied/s.db')
    expect(code).toBe(1)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).toMatch(/occupied/)
  })

  it('that is not a database is reported and left untouched', async () => {
    box.file('s.db', 'This is a text that is long enough to be looked at as a database file. '.repeat(20))
    const { code, stderr } = await box.cairn('usage', ...STORE)
    expect(code).toBe(1)
    expect(stderr).toMatch(/s\.db/)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  const isRoot = process.getuid?.() === 0
  const unlessRoot = isRoot ? it.skip : it
  unlessRoot('in a read-only folder is named', async () => {
    mkdirSync(join(box.folder, 'locked'))
    chmodSync(join(box.folder, 'locked'), 0o500)
    const { code, stderr } = await box.cairn('import', '--store', 'file:locked/s.db')
    expect(code).toBe(1)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})
