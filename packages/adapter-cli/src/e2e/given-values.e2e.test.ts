/** Values that come from transcripts, addresses and arguments, in what the command prints. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSandbox } from '../testing/run-cli.ts'
import type { CliResult, Sandbox } from '../testing/run-cli.ts'

const BIN = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))
const STORE = ['--store', 'file:s.db']
const IDS = ['q; touch PWN #A', 'q; touch PWN #B', 'a;b $(x)', '-rf', 'one\ntwo three', "it's  spaced"]

let box: Sandbox
beforeAll(async () => {
  box = createSandbox()
  const lines = IDS.flatMap((session, index) => [
    { session, role: 'user', text: `inject me ${index}`, id: 'first; touch PWN' },
    { session, role: 'assistant', text: 'Done.', id: '-second' },
  ])
  box.file('t.jsonl', lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  mkdirSync(join(box.folder, 'path'))
  writeFileSync(join(box.folder, 'path', 'cairn'), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`, {
    mode: 0o755,
  })
  await box.cairn('import', '--from', 't.jsonl', '--agent', 'generic', ...STORE)
})
afterAll(() => box.remove())

const ended = (child: ReturnType<typeof spawn>, input = ''): Promise<CliResult> =>
  new Promise((resolve, reject) => {
    let [stdout, stderr] = ['', '']
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
    child.stdin?.end(input)
  })

/** As pasted into a shell, where `cairn` is this one. */
const pasted = (command: string): Promise<CliResult> => {
  return ended(
    spawn('/bin/bash', ['-c', command], {
      cwd: box.folder,
      env: {
        PATH: `${join(box.folder, 'path')}${delimiter}${process.env['PATH'] ?? ''}`,
        HOME: box.folder,
        CAIRN_HOME: join(box.folder, 'data'),
        TZ: 'UTC',
      },
    }),
  )
}
const withInput = (input: string, ...args: readonly string[]): Promise<CliResult> =>
  ended(
    spawn(process.execPath, [BIN, ...args, ...STORE], {
      cwd: box.folder,
      env: { ...process.env, CAIRN_HOME: join(box.folder, 'data') },
      stdio: 'pipe',
    }),
    input,
  )

const bash = existsSync('/bin/bash') ? describe : describe.skip
bash('commands to paste', () => {
  it("printed by recall show the message, whatever its session's id, and do nothing else", async () => {
    const { stdout } = await box.cairn('recall', 'inject me', '--limit', '20', ...STORE)
    const commands = stdout.split('\n').filter((line) => line.startsWith('  cairn session show'))
    expect(commands).toHaveLength(IDS.length)
    const shown = await Promise.all(commands.map((command) => pasted(command)))
    expect(shown.map(({ code }) => code)).toEqual(IDS.map(() => 0))
    for (const index of IDS.keys())
      expect(shown.some(({ stdout: text }) => text.includes(`inject me ${index}`))).toBe(true)
    expect(existsSync(join(box.folder, 'PWN'))).toBe(false)
  })

  it.each(IDS)('that undo a change work for the session %j', async (id) => {
    const pin = (await box.json('context', 'pin', 'first; touch PWN', `--session=${id}`, ...STORE)) as {
      readonly undo: string
    }
    const unpinned = await pasted(`${pin.undo} --json`.replace(/ -- (.*) --json$/, ' --json -- $1'))
    expect(JSON.parse(unpinned.stdout)).toMatchObject({ changed: true, before: 'pinned' })
    const rewound = JSON.parse(
      (await box.cairn('session', 'rewind', '--to', 'first; touch PWN', '--json', ...STORE, '--', id)).stdout,
    ) as { readonly undo: string }
    expect(await pasted(rewound.undo)).toMatchObject({ code: 0 })
    expect(existsSync(join(box.folder, 'PWN'))).toBe(false)
  })
})

describe('values that users give', () => {
  it("are never shown with a store's password", async () => {
    const shown = [
      await box.cairn(
        'config',
        'set',
        'store',
        'postgresql://u:S3cretPw99@h/db',
        '--workspace',
        join(box.folder, 'other'),
      ),
      await box.cairn(
        'config',
        'set',
        'store',
        'postgresql://u@h/db?password=S3cretPw99',
        '--json',
        '--workspace',
        join(box.folder, 'other'),
      ),
      await box.cairn('session', 'list', '--store', 'postgresql://u@127.0.0.1:1/db?password=S3cretPw99'),
      await box.cairn('session', 'list', '--store', 'postgresql://u:S3cretPw99@127.0.0.1:1/db'),
      await box.cairn('session', 'list', '--store', 'mysql://u:S3cretPw99@h/db'),
    ].map(({ stdout, stderr }) => stdout + stderr)
    for (const text of shown) expect(text).toContain('***')
    expect(shown.join('')).not.toContain('S3cretPw99')
  })

  it('are truncated when shown again', async () => {
    const long = 'a'.repeat(120_000)
    for (const args of [
      ['session', 'list', '--since', long],
      ['usage', '--by', long],
      ['session', 'show', long],
      ['graph', long],
      ['session', 'list', '--text', long],
      ['context', 'pin', long, '--session=-rf'],
      [long],
    ]) {
      const { code, stderr } = await box.cairn(...args, ...STORE)
      expect({
        args: args[0],
        isFailed: code !== 0,
        isShort: stderr.length < 400,
        isLike: stderr.includes('LIKE'),
      }).toEqual({ args: args[0], isFailed: true, isShort: true, isLike: false })
    }
  })

  it('report an unknown project in the same words from recall and memory', async () => {
    const [recall, memory] = [
      await box.cairn('recall', 'inject', '--workspace', 'nosuch', ...STORE),
      await box.cairn('memory', 'list', '--workspace', 'nosuch', ...STORE),
    ]
    expect(recall).toEqual({ ...memory, stdout: '' })
    expect(recall.stderr).toContain("No project 'nosuch' is in the store")
  })

  it('may be - for standard input and output', async () => {
    await box.cairn('memory', 'add', 'discovery', 'Tests need Redis', '--workspace', box.folder, ...STORE)
    const exported = await box.cairn('memory', 'export', '--to', '-', '--workspace', box.folder, ...STORE)
    expect(exported.stdout).toContain('Tests need Redis')
    expect(existsSync(join(box.folder, '-'))).toBe(false)
    const { stdout } = await withInput(
      '{"id":1,"query":"inject me"}\n{"id":2,"query":"redis"}',
      'recall',
      '--queries',
      '-',
    )
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { readonly id: number }).id),
    ).toEqual([1, 2])
  })

  it('redact passwords that contain a common word', async () => {
    for (const value of ['Denver2024!', 'hunter2secret', 'MyPassword99', 'Example99x', 'env99xyz!', 'Tr0ub4dor&3']) {
      await box.cairn('note', 'set', 'pw', `password=${value}`, '--workspace', box.folder, ...STORE)
      expect((await box.cairn('note', 'get', 'pw', '--workspace', box.folder, ...STORE)).stdout.trim()).toBe(
        'password=[redacted:password]',
      )
    }
    expect(readFileSync(join(box.folder, 's.db')).includes('hunter2secret')).toBe(false)
  })
})

const windows = process.platform === 'win32' ? it.skip : it
windows('a server ends with a launcher that is killed', async () => {
  const launcher = spawn(
    process.execPath,
    [
      '-e',
      `const { spawn } = require('node:child_process')
spawn(process.execPath, [${JSON.stringify(BIN)}, 'mcp', '--http', '--port', '0', '--store', 'file:s.db'], { stdio: 'inherit', env: { ...process.env, CAIRN_LAUNCHER_PID: String(process.pid) } })`,
    ],
    {
      cwd: box.folder,
      env: { ...process.env, CAIRN_HOME: join(box.folder, 'data') },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let printed = ''
  const closed = new Promise((resolve) => launcher.stdout.on('close', resolve))
  await new Promise<void>((resolve) => {
    const hear = (text: string): void => {
      printed += text
      if (printed.includes('http://')) resolve()
    }
    launcher.stdout.setEncoding('utf8').on('data', hear)
    launcher.stderr.setEncoding('utf8').on('data', hear)
  })
  launcher.kill('SIGKILL')
  // The server holds the other end of the pipe until it ends.
  await closed
  expect(printed).toContain('http://')
})
