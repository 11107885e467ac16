/** The setting `hooks.incognito` holds for imports by themselves: no hook may have run. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createWorkbench, generic, type Workbench } from '../testing/import-workbench.ts'
import { TRANSCRIPTS, claudeUser } from './incognito-transcripts.fixture.ts'
import { DEFAULT_SPLIT } from './lines.ts'
import { importAgents } from './registry.ts'

let bench: Workbench
let app: string
beforeEach(() => {
  bench = createWorkbench()
  app = join(bench.folder, 'code', 'app')
  mkdirSync(join(app, '.git'), { recursive: true })
})
afterEach(() => bench.end())

const WORD = 'PEREGRINE'

const set = (folder: string, value: unknown): void => {
  mkdirSync(join(folder, '.cairn'), { recursive: true })
  writeFileSync(join(folder, '.cairn', 'config.json'), JSON.stringify({ hooks: { incognito: value } }))
}
/** What the user sets for all projects. */
const setForUser = (value: unknown): string =>
  bench.write('home/.config/cairn/config.json', JSON.stringify({ hooks: { incognito: value } }))

const transcript = (agent: string) => {
  const found = TRANSCRIPTS.get(agent)
  if (found === undefined) throw new Error(`no transcript of ${agent}`)
  return found
}
/** Writes the agent's transcript of a session in a folder; the paths. */
const write = (agent: string, folder: string, messages: 1 | 2 = 1): readonly string[] =>
  transcript(agent)
    .write(folder, WORD, messages)
    .map(({ path, text }) => bench.write(`home/${path}`, text))

const imported = (agent: string) =>
  bench.import(
    agent === 'generic' ? { from: [join(bench.folder, 'home/chats')] } : { home: join(bench.folder, 'home') },
  )
const marks = (): string => {
  const path = join(bench.folder, 'home/.local/share/cairn/incognito.jsonl')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
const isStored = async (id: string): Promise<boolean> =>
  (await bench.store.sessions.get(id)) !== undefined || (await bench.source(id)).length > 0
const reasons = ({ skipped }: Awaited<ReturnType<typeof imported>>): readonly string[] =>
  skipped.map(({ reason }) => reason)

it('is tested for every agent whose transcripts are imported', () => {
  // Those that are no transcripts below the home folder have their tests beside their importers.
  const others = ['aider', 'cursor']
  expect([...TRANSCRIPTS.keys(), ...others].sort()).toEqual([...importAgents()].sort())
})

describe.each([...TRANSCRIPTS.keys()])('the setting of a project, and a transcript of %s', (agent) => {
  const { id } = transcript(agent)

  it('leaves the session out and marks it, so that it stays out when the setting is gone', async () => {
    set(app, true)
    write(agent, app)
    const report = await imported(agent)
    expect(report).toMatchObject({ sessions: 0, messages: 0, requests: 0 })
    expect(new Set(reasons(report))).toEqual(new Set(['incognito']))
    expect(marks().match(/"agent"/g)).toHaveLength(1)
    rmSync(join(app, '.cairn'), { recursive: true })
    write(agent, app, 2)
    expect(await imported(agent)).toMatchObject({ sessions: 0, messages: 0, requests: 0 })
    expect(await isStored(id)).toBe(false)
    expect(marks().match(/"agent"/g)).toHaveLength(1)
  })

  it('keeps what was taken in before it was switched on, adds nothing, and says how that is removed', async () => {
    write(agent, app)
    expect((await imported(agent)).sessions).toBe(1)
    const before = await bench.texts(id)
    set(app, true)
    expect(reasons(await imported(agent))).toEqual([])
    write(agent, app, 2)
    const report = await imported(agent)
    expect(report).toMatchObject({ messages: 0, requests: 0 })
    expect(reasons(report).join()).toContain(`cairn session delete ${id}`)
    expect(await bench.texts(id)).toEqual(before)
  })

  it('lets sessions of other projects in', async () => {
    set(join(bench.folder, 'code', 'other'), true)
    write(agent, app)
    expect((await imported(agent)).sessions).toBe(1)
    expect(marks()).toBe('')
  })
})

describe('the setting is found', () => {
  const isLeftOut = async (folder: string, agent = 'codex'): Promise<boolean> => {
    const paths = write(agent, folder)
    const { sessions } = await imported(agent)
    for (const path of paths) rmSync(path)
    return sessions === 0
  }
  const folderWith = (path: string, git?: string): string => {
    mkdirSync(join(app, path), { recursive: true })
    if (git !== undefined) writeFileSync(join(app, path, '.git'), git)
    return join(app, path)
  }

  it('from a folder inside of the project', async () => {
    set(app, true)
    expect(await isLeftOut(folderWith('packages/core/src'))).toBe(true)
  })

  it('not from a repository inside of the project', async () => {
    set(app, true)
    const nested = folderWith('vendor/lib')
    mkdirSync(join(nested, '.git'))
    expect(await isLeftOut(nested)).toBe(false)
  })

  it.each([
    ['beside its repository', '../app-fix'],
    ["in Claude Code's folder for them", '.claude/worktrees/fix'],
  ])("from a work tree %s: the repository's", async (_, path) => {
    set(app, true)
    const tree = folderWith(path, `gitdir: ${app}/.git/worktrees/fix\n`)
    expect(await isLeftOut(join(tree, 'src'))).toBe(true)
  })

  it.each([
    ['beside its repository', '../app-fix'],
    ["in Claude Code's folder for them", '.claude/worktrees/fix'],
  ])('from a work tree %s: its own first', async (_, path) => {
    const tree = folderWith(path, `gitdir: ${app}/.git/worktrees/fix\n`)
    set(tree, true)
    for (const agent of ['claude-code', 'pi', 'cline', 'codex']) expect(await isLeftOut(tree, agent)).toBe(true)
  })

  it('through a link to a folder of the project', async () => {
    set(app, true)
    const link = join(bench.folder, 'short')
    symlinkSync(folderWith('packages/core'), link)
    expect(await isLeftOut(link)).toBe(true)
  })

  it("in the user's settings, unless the project's say otherwise", async () => {
    setForUser(true)
    expect(await isLeftOut(app)).toBe(true)
  })

  it("in the project's settings before the user's", async () => {
    setForUser(true)
    set(app, false)
    expect(await isLeftOut(app)).toBe(false)
  })

  it('for sessions without a folder in those of the user', async () => {
    bench.write('in/chat.jsonl', `${generic('x')}\n`)
    setForUser(true)
    const from = [join(bench.folder, 'in')]
    expect(await bench.import({ from })).toMatchObject({ sessions: 0, skipped: [{ reason: 'incognito' }] })
    expect(marks()).toBe('')
    setForUser(false)
    bench.write('in/chat.jsonl', `${generic('x')}\n${generic('y')}\n`)
    expect(await bench.import({ from })).toMatchObject({ sessions: 1 })
  })

  it('with one look at each file, however many sessions there are', async () => {
    set(app, false)
    for (let number = 10; number < 40; number++)
      bench.write(
        `home/.codex/sessions/rollout-${number}.jsonl`,
        [
          { type: 'session_meta', payload: { id: `0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d${number}`, cwd: app } },
          { type: 'response_item', payload: { type: 'message', role: 'user', content: [{ text: 'x' }] } },
        ]
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(''),
      )
    const read: string[] = []
    const readText = async (path: string): Promise<string | undefined> => {
      read.push(path)
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined
    }
    const report = await bench.import({ home: join(bench.folder, 'home'), fileSystem: { readText } })
    expect(report.sessions).toBe(30)
    expect(read.filter((path) => path.startsWith(app))).toEqual([join(app, '.cairn/config.json')])
  })
})

describe('a folder that the transcript names late', () => {
  const MANY = DEFAULT_SPLIT.batchItems * 3

  it('leaves out what stands before it, too', async () => {
    set(app, true)
    const chat = Array.from({ length: MANY }, (_, number) => generic(`${WORD} ${number}`, { session: 'late' }))
    const other = Array.from({ length: MANY }, (_, number) => generic(`talk ${number}`, { session: 'open' }))
    bench.write(
      'in/chat.jsonl',
      `${[...chat, ...other, generic('end', { session: 'late', workspace: app })].join('\n')}\n`,
    )
    const report = await bench.import({ from: [join(bench.folder, 'in')] })
    expect(report).toMatchObject({ sessions: 1, messages: MANY, skipped: [{ reason: 'incognito', count: MANY + 1 }] })
    expect(await isStored('generic:late')).toBe(false)
    expect(await bench.texts('generic:open')).toHaveLength(MANY)
  })

  it('of one session in the file, too, and takes the file in where the folder is no such project', async () => {
    const { id, write: lines } = transcript('claude-code')
    const named = lines(app, WORD, 1)[0]?.text ?? ''
    const path = bench.write(
      'home/.claude/projects/-app/0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d11.jsonl',
      Array.from({ length: MANY }, (_, number) => `${JSON.stringify(claudeUser(`n${number}`, WORD))}\n`).join('') +
        named,
    )
    set(app, true)
    expect(await imported('claude-code')).toMatchObject({ sessions: 0, messages: 0 })
    expect(await isStored(id)).toBe(false)
    rmSync(join(bench.folder, 'home/.local'), { recursive: true })
    rmSync(join(app, '.cairn'), { recursive: true })
    expect(await imported('claude-code')).toMatchObject({ sessions: 1, messages: MANY + 1, skipped: [] })
    expect((await bench.source(id)).length).toBe(readFileSync(path, 'utf8').split('\n').length - 1)
  })

  it('and that came after the rest was taken in: that is removed', async () => {
    set(app, true)
    const path = bench.write('in/chat.jsonl', `${generic(WORD, { session: 'late' })}\n`)
    const from = [dirname(path)]
    expect((await bench.import({ from })).sessions).toBe(1)
    appendFileSync(path, `${generic('end', { session: 'late', workspace: app })}\n`)
    bench.events.length = 0
    expect(reasons(await bench.import({ from }))).toEqual([
      'incognito; what was taken in of it before its folder was known has been removed',
    ])
    expect(bench.events.map(({ type }) => type)).toContain('store-changed')
    expect(await isStored('generic:late')).toBe(false)
  })
})

describe("settings that can't be understood", () => {
  it.each([
    ['{"hooks":', 'they are not valid JSON'],
    ['{"hooks":{"incognito":"yes"}}', "'hooks.incognito' is neither true nor false"],
    [`{"prices":"${'x'.repeat(1 << 20)}"}`, 'they are larger than 1 MiB'],
  ])('keep a session out until they are corrected, and say so', async (text, why) => {
    set(app, true)
    writeFileSync(join(app, '.cairn', 'config.json'), text)
    write('pi', app)
    const report = await imported('pi')
    expect(report.sessions).toBe(0)
    expect(reasons(report)).toEqual([
      `the settings in ${app}/.cairn/config.json don't tell whether it is incognito: ${why}; correct them, and import again`,
    ])
    expect(marks()).toBe('')
    set(app, false)
    expect((await imported('pi')).sessions).toBe(1)
  })

  it('a folder in their place, or a path that no machine has, is none', async () => {
    mkdirSync(join(app, '.cairn', 'config.json'), { recursive: true })
    write('pi', app)
    expect((await imported('pi')).sessions).toBe(1)
    write('codex', `/${'deep/'.repeat(300_000)}`)
    expect((await imported('codex')).sessions).toBe(1)
    write('generic', 'C:\\code\\app')
    expect((await imported('generic')).sessions).toBe(1)
  })
})

it('a session whose mark can not be written is left out all the same, and that is said', async () => {
  set(app, true)
  write('pi', app)
  const append = (): Promise<void> => Promise.reject(new Error('the disk is full'))
  const report = await bench.import({ home: join(bench.folder, 'home'), fileSystem: { append } })
  expect(report).toMatchObject({
    sessions: 0,
    skipped: [{ reason: 'incognito; it could not be marked as such: the disk is full' }],
  })
  expect((await imported('pi')).sessions).toBe(0)
  expect(marks()).toContain('"agent":"pi"')
})
