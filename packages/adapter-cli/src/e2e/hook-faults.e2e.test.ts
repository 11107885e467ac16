/** Hooks and status line where everything is wrong: they end with 0, in time, and print nothing or a whole answer. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSandbox } from '../testing/run-cli.ts'
import type { Sandbox } from '../testing/run-cli.ts'
import { importsDone, runHook, until } from '../testing/run-hook.ts'
import { claudeSession } from '../testing/transcripts.ts'

const SESSION = '0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d11'
const EVENTS = ['session-start', 'user-prompt-submit', 'pre-compact', 'post-compact', 'stop', 'session-end'] as const
const SILENT = { code: 0, stdout: '', stderr: '' }

let sandbox: Sandbox

beforeEach(() => {
  sandbox = createSandbox()
  mkdirSync(join(sandbox.folder, '.git'))
})
afterEach(async () => {
  await importsDone(sandbox)
  sandbox.remove()
})

const store = (): string => join(sandbox.folder, 'data', 'cairn.db')

const input = (): object => ({
  session_id: SESSION,
  cwd: sandbox.folder,
  source: 'startup',
  prompt: 'why does it fail?',
})

/** A store that would give every session something. */
const fillStore = async (): Promise<void> => {
  await sandbox.cairn(
    'import',
    '--from',
    sandbox.file('transcripts/x.jsonl', claudeSession('x')),
    '--agent',
    'claude-code',
  )
  await sandbox.cairn('memory', 'add', 'pattern', 'Write plainly', '--workspace', sandbox.folder)
}

const logged = (): readonly string[] => {
  const path = join(sandbox.folder, 'data', 'hooks.log')
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { message: string }).message)
}

const mount = (folder: string): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4096k', 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Takes what is left of a disk, to the last block. */
const fill = (folder: string): void => {
  const file = openSync(join(folder, 'filler'), 'w')
  for (const size of [65_536, 4_096, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size))
    } catch {
      // Nothing of that size fits any more.
    }
  }
  closeSync(file)
}

describe('standard input', () => {
  it.each([
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['half of an object', '{"session_id":"a'],
    ['a list', '[1,2,3]'],
    ['a number', '7'],
    ['other types', '{"session_id":7,"cwd":{},"transcript_path":[],"prompt":null,"source":false}'],
    ['bytes', '\u0000\u0001\ufffd'],
    ['deep nesting', '['.repeat(100_000)],
  ])('with %s prints nothing', async (_, text) => {
    for (const event of ['session-start', 'stop'] as const)
      expect(await runHook(sandbox, [event], { input: text })).toEqual(SILENT)
    const line = await runHook(sandbox, ['statusline'], { input: text, variables: { NO_COLOR: '1' } })
    expect(line).toEqual(SILENT)
  })

  it('of 10 MB is read and used', async () => {
    await fillStore()
    const large = JSON.stringify({ ...input(), padding: 'x'.repeat(10_000_000) })
    const { code, stdout } = await runHook(sandbox, ['session-start'], { input: large })
    expect(code).toBe(0)
    expect(stdout).toContain('Write plainly')
  })

  it('of more than 16 MiB is not read, which the log says, from a pipe and from a file', async () => {
    mkdirSync(join(sandbox.folder, 'data'))
    const large = JSON.stringify({ ...input(), padding: 'x'.repeat(17 << 20) })
    const file = sandbox.file('large.json', large)
    const redirected = ['bash', '-c', 'exec "$@" < "$0"', file]
    expect(await runHook(sandbox, ['session-start'], { input: large })).toEqual(SILENT)
    expect(await runHook(sandbox, ['stop'], { through: redirected })).toEqual(SILENT)
    expect(await runHook(sandbox, ['statusline'], { input: large })).toEqual(SILENT)
    expect(logged()).toEqual(Array(3).fill('standard input is larger than 16 MiB; nothing of it was read'))
  })

  it('that is never closed ends with the time limit', async () => {
    expect(await runHook(sandbox, ['session-start'], { isOpen: true })).toEqual(SILENT)
  })

  it('of an unknown event prints nothing', async () => {
    for (const args of [['no-such-event'], ['stop', '--agent', 'nobody'], [], ['session-start', '--no-such-option']])
      expect(await runHook(sandbox, args, { input: {} })).toEqual(SILENT)
  })
})

describe('the store', () => {
  const everyEvent = async (): Promise<void> => {
    for (const event of EVENTS) {
      const { code, stdout, stderr } = await runHook(sandbox, [event], { input: input() })
      expect({ event, code, stdout, stderr }).toEqual({ event, ...SILENT })
    }
    const line = await runHook(sandbox, ['statusline'], { input: { model: 'm' }, variables: { NO_COLOR: '1' } })
    expect(line).toEqual({ code: 0, stdout: 'm\n', stderr: '' })
  }

  it('is missing: reading creates nothing', async () => {
    for (const event of ['session-start', 'user-prompt-submit'] as const)
      expect(await runHook(sandbox, [event], { input: input() })).toEqual(SILENT)
    expect(existsSync(join(sandbox.folder, 'data'))).toBe(false)
  })

  it('is locked', async () => {
    await fillStore()
    const other = new DatabaseSync(store())
    other.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
    try {
      for (const event of ['session-start', 'user-prompt-submit'] as const)
        expect(await runHook(sandbox, [event], { input: input() })).toEqual(SILENT)
      expect((await runHook(sandbox, ['statusline'], { input: { model: 'm' } })).stdout).toContain('m')
    } finally {
      other.close()
    }
    expect(logged().length).toBeGreaterThan(0)
  })

  it('is of a newer version: it stays as it is', async () => {
    await fillStore()
    const other = new DatabaseSync(store())
    other.exec(
      "INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count) VALUES ('z', 'z', 1, '29991231000000_later', 1, 1)",
    )
    other.close()
    const before = readFileSync(store())
    await everyEvent()
    await importsDone(sandbox)
    expect(readFileSync(store()).equals(before)).toBe(true)
    expect(logged().some((message) => message.includes('newer version'))).toBe(true)
    const found = await sandbox.cairn('doctor')
    expect(found.stderr).toContain('newer version')
  })

  it('is damaged', async () => {
    await fillStore()
    writeFileSync(store(), Buffer.alloc(64_000, 'not a database '))
    await everyEvent()
    expect(logged().length).toBeGreaterThan(0)
  })

  it('is a folder, and the data folder is read-only', async () => {
    mkdirSync(store(), { recursive: true })
    chmodSync(join(sandbox.folder, 'data'), 0o500)
    await everyEvent()
    chmodSync(join(sandbox.folder, 'data'), 0o700)
  })

  it.each(['', 'relative'])('has no place where HOME is %j: nothing is kept in the agent’s folder', async (home) => {
    const before = readdirSync(sandbox.folder)
    const variables = { HOME: home, USERPROFILE: home, CAIRN_HOME: '' }
    for (const event of EVENTS) expect(await runHook(sandbox, [event], { input: input(), variables })).toEqual(SILENT)
    expect(readdirSync(sandbox.folder)).toEqual(before)
    expect(existsSync('/.local/share/cairn')).toBe(false)
  })

  it('is in a folder where no file can be created', async () => {
    const variables = { CAIRN_HOME: '/dev/full' }
    for (const event of EVENTS) {
      const { code, stdout } = await runHook(sandbox, [event], { input: input(), variables })
      expect({ event, code, stdout }).toEqual({ event, code: 0, stdout: '' })
    }
  })

  it('is on a full disk', async () => {
    const data = join(sandbox.folder, 'data')
    mkdirSync(data)
    // Only who may mount has a small disk.
    if (!mount(data)) return
    try {
      await fillStore()
      fill(data)
      for (const event of EVENTS) {
        const { code, stdout, stderr } = await runHook(sandbox, [event], {
          input: { ...input(), transcript_path: join(sandbox.folder, 'transcripts', 'x.jsonl') },
          variables: event === 'stop' ? { CAIRN_INCOGNITO: '1' } : {},
        })
        expect({ event, code, stderr }).toEqual({ event, code: 0, stderr: '' })
        if (stdout !== '') expect(JSON.parse(stdout)).toHaveProperty('hookSpecificOutput')
      }
      const line = await runHook(sandbox, ['statusline'], { input: { model: 'm' }, variables: { NO_COLOR: '1' } })
      expect(line).toMatchObject({ code: 0, stderr: '' })
      expect(line.stdout).toMatch(/^m/)
      const marked = await sandbox.cairn('hook', 'incognito', '--session', SESSION)
      expect(marked).toMatchObject({ code: 1, stdout: '' })
      expect(marked.stderr).toMatch(/could not be marked/)
    } finally {
      rmSync(join(data, 'filler'), { force: true })
      try {
        await importsDone(sandbox)
      } finally {
        execFileSync('umount', ['-l', data])
      }
    }
  })
})

describe('the log', () => {
  it('has a limited size, and holds no secret', async () => {
    await fillStore()
    const path = join(sandbox.folder, 'data', 'hooks.log')
    const key = `sk-ant-api03-${'A1b2C3d4'.repeat(12)}AA`
    const old = `${JSON.stringify({ at: 1, hook: 'stop', message: 'x'.repeat(200) })}\n`
    writeFileSync(path, old.repeat(1_000))
    await runHook(sandbox, [`no-such-hook-${key}`], { input: {} })
    await runHook(sandbox, ['stop', '--agent', key], { input: {} })
    expect(statSync(path).size).toBeLessThan(10_000)
    expect(
      readdirSync(join(sandbox.folder, 'data'))
        .filter((name) => name.startsWith('hooks.log'))
        .sort(),
    ).toEqual(['hooks.log', 'hooks.log.1'])
    expect(readFileSync(path, 'utf8')).not.toContain(key.slice(0, 40))
    expect(logged().some((message) => message.includes("an agent '"))).toBe(true)
  })
})

describe('processes', () => {
  it('leave nothing behind', async () => {
    if (!existsSync('/proc/self/environ')) return
    await fillStore()
    await Promise.all(Array.from({ length: 50 }, () => runHook(sandbox, ['statusline'], { input: input() })))
    await Promise.all(Array.from({ length: 10 }, () => runHook(sandbox, ['session-end'], { input: input() })))
    await importsDone(sandbox)
    const ofSandbox = (): readonly string[] =>
      readdirSync('/proc').filter((id) => {
        try {
          return (
            /^\d+$/.test(id) && readFileSync(`/proc/${id}/environ`, 'utf8').includes(`CAIRN_HOME=${sandbox.folder}`)
          )
        } catch {
          return false
        }
      })
    await until('all processes have ended', () => ofSandbox().length === 0)
  })
})
