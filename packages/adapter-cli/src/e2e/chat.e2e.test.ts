/** `cairn chat` as a process, asking a model server on loopback: in a pipe, and on a terminal. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { startModelServer, type ModelServer, type Reply } from '@cairn/core/testing'
import { createSandbox, environmentOf, resultOf, type CliResult, type Sandbox } from '../testing/run-cli.ts'
import { hasTerminals, runOnTerminal, type RunningTerminal } from '../testing/run-terminal.ts'

const BIN = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))
const KEYS = { ANTHROPIC_API_KEY: 'test-key' }
const GIT = ['-c', 'user.name=A', '-c', 'user.email=a@b.c', '-c', 'commit.gpgsign=false']
/** Keys of a terminal. */
const [ENTER, CTRL_C, CTRL_D, TAB, UP] = ['\r', '\u0003', '\u0004', '\t', '\u001b[A']

let box: Sandbox
let server: ModelServer
let app: string
beforeEach(async () => {
  box = createSandbox(KEYS)
  app = join(box.folder, 'app')
  mkdirSync(join(app, 'src'), { recursive: true })
  writeFileSync(join(app, 'src/a.ts'), 'export const kept = 1\nexport const old = 2\n')
  execFileSync('git', ['init', '--quiet'], { cwd: app })
  execFileSync('git', [...GIT, 'add', '.'], { cwd: app })
  execFileSync('git', [...GIT, 'commit', '--quiet', '-m', 'The first one'], { cwd: app })
  server = await startModelServer({ clock: () => Date.now() })
})
afterEach(async () => {
  await server.close()
  box.remove()
})

const says = (text: string): { readonly reply: Reply } => ({ reply: { blocks: [{ type: 'text', text }] } })
const calls = (name: string, input: Record<string, unknown>): { readonly reply: Reply } => ({
  reply: { blocks: [{ type: 'tool-call', name, input }] },
})
const EDIT = { path: 'src/a.ts', edits: [{ old_text: 'export const old = 2', new_text: 'export const fresh = 3' }] }
/** `cairn` with this text on its standard input. */
const piped = (text: string, args: readonly string[]): Promise<CliResult> => {
  const child = spawn(process.execPath, [BIN, ...args], { cwd: box.folder, env: environmentOf(box.folder, KEYS) })
  child.stdin.end(text)
  return resultOf(child)
}
const options = (...more: readonly string[]): readonly string[] => [
  'chat',
  '--model',
  'claude-sonnet-5',
  '--base-url',
  server.url,
  '--workspace',
  app,
  ...more,
]

describe('cairn chat in a pipe', () => {
  it('answers one message a line, in one session, and asks nobody', async () => {
    server.script(says('It is **four**.'), calls('read_file', { path: 'src/a.ts' }), calls('edit_file', EDIT))
    const { code, stdout, stderr } = await piped('Two and two?\n/mode\nRename it.\n', options())
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'It is **four**.\nMode act: the model works.\n' })
    expect(stderr).toMatch(/✓ read src\/a\.ts · 2 lines\n/)
    expect(stderr).toMatch(/edit src\/a\.ts/)
    expect(readFileSync(join(app, 'src/a.ts'), 'utf8')).toContain('old = 2')
    expect(server.requests.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined])
    expect(server.requests[1]?.text).toMatch(/Two and two\?.*Rename it\./)
  })

  it('gives one JSON document for all of it', async () => {
    server.script(says('Four.'), says('Six.'))
    const { code, stdout } = await piped('And three and three?\n', options('Two and two?', '--json'))
    const document = JSON.parse(stdout) as {
      session: string
      costUsd: number
      turns: readonly Record<string, unknown>[]
    }
    expect(code).toBe(0)
    expect(document.turns.map(({ message, end, text, requests }) => [message, end, text, requests])).toEqual([
      ['Two and two?', 'done', 'Four.', 1],
      ['And three and three?', 'done', 'Six.', 1],
    ])
    const { total } = (await box.json('usage')) as {
      readonly total: { readonly costUsd: number; readonly requests: number }
    }
    expect(total.requests).toBe(2)
    expect(document.costUsd).toBeGreaterThan(0)
    expect(document.costUsd).toBeCloseTo(total.costUsd, 9)
  })

  it('says in one sentence what is in the way, and sends nothing', async () => {
    const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
      [['chat', 'Hi.', '--model', 'claude-sonet-5', '--workspace', app], 2, /There is no model 'claude-sonet-5'/],
      [['chat', 'Hi.', '--workspace', app], 2, /Which model\?/],
      [options('Hi.', '--resume', 'nobody'), 1, /There is no session whose id is, or starts with, "nobody"/],
    ]
    for (const [args, code, sentence] of cases) {
      const result = await piped('', args)
      expect([args, result.code, result.stdout]).toEqual([args, code, ''])
      expect(result.stderr).toMatch(sentence)
      expect(result.stderr.trimEnd().split('\n').length).toBe(1)
    }
    expect(server.requests.length).toBe(0)
  })
})

const onTerminal = hasTerminals() ? describe : describe.skip

onTerminal('cairn chat on a terminal', () => {
  const start = (...more: readonly string[]): RunningTerminal =>
    runOnTerminal(
      options(...more),
      { columns: 80, rows: 40 },
      { folder: app, environment: environmentOf(box.folder, KEYS) },
    )

  it('completes, asks before an edit, undoes it, and says how to come back', async () => {
    server.script(
      calls('read_file', { path: 'src/a.ts' }),
      calls('edit_file', EDIT),
      says('**Done**, `fresh` it is.'),
      says('Nothing.'),
    )
    const chat = start()
    await chat.until(/\n> $/)
    chat.send(`Rename it in @sr${TAB}`)
    await chat.until(/@src\/$/)
    chat.send(`a${TAB}`)
    await chat.until(/a\.ts$/)
    chat.send(ENTER)
    await chat.until(/\+ src\/a\.ts, about \d+ tokens/)
    const asked = await chat.until(/model\): $/)
    expect(asked).toContain('  -export const old = 2\n  +export const fresh = 3\n')
    chat.send(`y${ENTER}`)
    await chat.until(/✓ edit src\/a\.ts · 1 file changed\n/)
    await chat.until(/Done, fresh it is\.\n/)
    await chat.until(/act · claude-sonnet-5 · \$0\.\d+ · [▰▱]{8} \d+ %\n/)
    await chat.until(/> $/)
    expect(chat.shown()).not.toContain('Nothing.')
    expect(readFileSync(join(app, 'src/a.ts'), 'utf8')).toContain('fresh = 3')
    chat.send(`/undo${ENTER}`)
    await chat.until(/Go on\? \[y\/N\] $/)
    chat.send(`y${ENTER}`)
    await chat.until(/> $/)
    expect(readFileSync(join(app, 'src/a.ts'), 'utf8')).toContain('old = 2')
    chat.send(CTRL_D)
    await chat.until(/This session cost \$0\.\d+\. Go on with it:\s+cairn chat --resume \S+/)
    expect(await chat.ended).toBe(0)
    // Pastes are not marked any more.
    expect(chat.raw().lastIndexOf('\u001b[?2004l')).toBeGreaterThan(chat.raw().lastIndexOf('\u001b[?2004h'))
  })

  it('takes files and conversation back to before the last change, also after a restart', async () => {
    server.script(
      calls('read_file', { path: 'src/a.ts' }),
      calls('edit_file', EDIT),
      says('Fresh it is.'),
      says('Nothing.'),
      says('Hello.'),
    )
    const chat = start('--approve', 'edits')
    await chat.until(/\n> $/)
    chat.send(`Rename it${ENTER}`)
    await chat.until(/Fresh it is\.\n[^]*\n> $/)
    expect(readFileSync(join(app, 'src/a.ts'), 'utf8')).toContain('fresh = 3')
    chat.send(CTRL_D)
    await chat.ended
    const again = start('--resume')
    await again.until(/Going on with Rename it[^]*\n> $/)
    again.send(`/undo both${ENTER}`)
    await again.until(/Go on\? \[y\/N\] $/)
    again.send(`y${ENTER}`)
    await again.until(/Undo:\s+\/session rewind undo[^]*\n> $/)
    expect(readFileSync(join(app, 'src/a.ts'), 'utf8')).toContain('old = 2')
    again.send(`Hello${ENTER}`)
    await again.until(/Hello\.\n[^]*\n> $/)
    expect(server.requests.at(-1)?.text).not.toContain('Rename it')
    again.send(`/undo${ENTER}`)
    await again.until(/No turn of this conversation has changed files yet/)
    again.send(`/session rewind undo${ENTER}`)
    await again.until(/Undo: [^]*\n> $/)
    again.send(CTRL_D)
    expect(await again.ended).toBe(0)
  })

  it('sends a paste whole, keeps what was typed for the next time, and nothing of secrets', async () => {
    const secret = `sk-ant-api03-${'Ab1'.repeat(31)}AA`
    const lines = Array.from({ length: 120 }, (_, line) => `line ${line}`)
    const chat = start()
    await chat.until(/\n> $/)
    chat.send(`See \u001b[200~${lines.join('\r')}\u001b[201~ and \\${ENTER}`)
    await chat.until(/See \[pasted 120 lines\] and \\\n\. $/)
    chat.send(`the key ${secret}${ENTER}`)
    await chat.until(/Reply 0[^]*\n> $/)
    expect(server.requests[0]?.text).toContain(JSON.stringify(`See ${lines.join('\n')} and \nthe key `).slice(1, -1))
    chat.send(CTRL_D)
    await chat.ended
    const folder = join(box.folder, 'data', 'chat-history')
    const [file = ''] = readdirSync(folder)
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, file), 'utf8')).not.toContain(secret)
    const again = start('--resume')
    await again.until(/Going on with See[^]*\n> $/)
    again.send(UP)
    await again.until(/the key \[/)
    again.send(CTRL_C)
    await again.until(/> $/)
    again.send(CTRL_D)
    expect(await again.ended).toBe(0)
  })

  it('ends a turn at Ctrl-C, and the conversation at the second one', async () => {
    server.script({ fault: { kind: 'stall', at: 'in-text' } }, says('Here again.'))
    const chat = start('Wait for ever.')
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    await chat.until(/Reply/)
    chat.send(CTRL_C)
    await chat.until(/Stopped\. What was done stays\.[^]*> $/)
    chat.send(`And now?${ENTER}`)
    await chat.until(/Here again\.[^]*> $/)
    chat.send(CTRL_C)
    await chat.until(/Ctrl-C again within 2 seconds leaves[^]*> $/)
    chat.send(CTRL_C)
    expect(await chat.ended).toBe(130)
  })

  it('moves no cursor and colours nothing with --plain', async () => {
    server.script(calls('read_file', { path: 'src/a.ts' }), calls('edit_file', EDIT), says('**Done**.'))
    const chat = start('--plain', '--no-ltm', 'Rename it.')
    await chat.until(/removed: export const old = 2\n {2}added: export const fresh = 3\n[^]*model\): $/)
    chat.send('no, leave it\n')
    await chat.until(/Not allowed\.\n/)
    await chat.until(/Done\.\n/)
    await chat.until(/Mode act, model claude-sonnet-5\.[^]*percent full\.\nYou: $/)
    chat.send(CTRL_D)
    expect(await chat.ended).toBe(0)
    expect(server.requests.at(-1)?.text).toContain('leave it')
    // eslint-disable-next-line no-control-regex -- what must not be there
    expect(chat.raw()).not.toMatch(/\u001b|\r(?!\n)/)
  })
})
