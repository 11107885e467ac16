/** `--incognito` and `--no-ltm` against a store on disk: what is read of it, and what is left in it. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { Command } from 'commander'
import { CairnError } from '@cairn/core'
import type { Engine } from '@cairn/core'
import { createContext } from '../runtime/context.ts'
import type { ProcessContext } from '../runtime/context.ts'
import { exitCodeOf } from '../runtime/failure.ts'
import { openEngine } from '../runtime/open-engine.ts'
import { COMMANDS, addCommonOptions, run } from '../program.ts'
import { SILENT_TERMINAL } from '../testing/silent-terminal.ts'

const MARK = 'PEREGRINE'
let folder: string
let project: string
let context: ProcessContext

/** Every file of the data folder with its bytes. */
const traces = (): readonly string[] =>
  readdirSync(join(folder, 'data'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(
      ({ parentPath, name }) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(parentPath, name)))
          .digest('hex')}`,
    )
    .sort()

const say = async (engine: Engine, id: string, text: string): Promise<void> => {
  await engine.sessions.append({ id: `cairn:${id}`, agent: 'cairn', externalId: id, workspace: project }, 0, [
    { entry: { kind: 'message', id: `${id}-1`, at: 1, role: 'user', content: [{ type: 'text', text }] } },
  ])
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-incognito-'))
  project = join(folder, 'app')
  for (const name of [project, join(folder, 'data')]) mkdirSync(name)
  writeFileSync(join(project, 'db.ts'), 'the port is 6380\n')
  const engine = await openEngine(`file:${join(folder, 'data', 'cairn.db')}`, { prices: {} })
  await engine.memory.add({ workspace: project, kind: 'discovery', text: `${MARK}: redis runs on 6380` })
  await engine.profile.set('name', MARK)
  await engine.notes.set(project, 'plan', MARK)
  await say(engine, 'old', `${MARK}: redis refuses the connection`)
  await engine.close()
  context = createContext(SILENT_TERMINAL, {
    variables: { CAIRN_HOME: join(folder, 'data') },
    platform: process.platform,
    home: folder,
    folder: project,
  })
})

afterEach(async () => {
  await context.close()
  rmSync(folder, { recursive: true, force: true })
})

// CLIO has such an option as well, but saves and injects memory under it all the same.
describe('--incognito', () => {
  it('leaves every byte of the store unchanged, and uses none of it in a session', async () => {
    const before = traces()
    const engine = await context.sessionEngine({ incognito: true })
    const request = 'why does redis refuse the connection?'
    const start = await engine.context.sessionStart({ workspace: project, request })
    await say(engine, 'own', request)
    await engine.memory.add({ workspace: project, kind: 'solution', text: 'redis: start it', examples: ['db.ts:1'] })
    await engine.notes.set(project, 'plan', 'start redis')
    await engine.profile.set('tone', 'short')
    const seen = [
      start,
      await engine.recall.messages({ text: `redis ${MARK}` }),
      await engine.recall.sessions({ text: request, workspace: project }),
      await engine.memory.list(project),
      await engine.memory.section(project),
      await engine.notes.list(project),
      await engine.profile.show(),
      await engine.context.nextRequest('cairn:own'),
      await engine.context.sessionStart({ workspace: project, request }),
    ]
    expect(inspect(seen, { depth: Infinity, maxArrayLength: null, maxStringLength: null })).not.toContain(MARK)
    expect(start.text).toBe('')
    expect(await engine.recall.messages({ text: 'redis' })).toHaveLength(1)
    await context.close()
    expect(traces()).toEqual(before)
  })

  it('creates no store', async () => {
    rmSync(join(folder, 'data'), { recursive: true })
    const engine = await context.sessionEngine({ incognito: true })
    await say(engine, 'own', 'hello')
    await context.close()
    expect(readdirSync(folder)).toEqual(['app'])
  })

  it.each([
    ['memory', 'add', 'discovery', 'x'],
    ['memory', 'list'],
    ['--incognito', 'memory', 'show'],
    ['note', 'set', 'a', 'b'],
    ['profile', 'show'],
    ['recall', 'redis'],
    ['graph', 'db.ts'],
    ['session', 'list'],
    ['usage', '--by', 'day'],
    ['import', '--from', '.'],
    ['doctor', '--json'],
    ['purge', '--yes'],
  ])('does nothing for: cairn %s %s', async (...args) => {
    const before = traces()
    const failure: unknown = await run([...args, '--incognito'], context, () => '0').then(
      () => undefined,
      (error: unknown) => error,
    )
    expect([exitCodeOf(failure), CairnError.is(failure) && failure.message]).toEqual([
      2,
      expect.stringMatching(/^With --incognito the store is neither read nor written/),
    ])
    expect(traces()).toEqual(before)
  })
})

describe('--no-ltm', () => {
  it('stores the session, and starts it without memory, profile and past sessions', async () => {
    const engine = await context.sessionEngine({ ltm: false })
    expect((await engine.context.sessionStart({ workspace: project, request: 'redis refuses' })).text).toBe('')
    await say(engine, 'own', 'a session that is kept')
    await context.close()
    const after = await context.engine({})
    expect(await after.recall.messages({ text: 'a session that is kept' })).toHaveLength(1)
    expect((await after.context.sessionStart({ workspace: project, request: 'redis refuses' })).text).toContain(MARK)
  })

  it.each([
    ['memory', 'list'],
    ['memory', 'add', 'discovery', 'x'],
    ['profile', 'show'],
    ['--no-ltm', 'memory', 'list', '--kind', 'discovery'],
  ])('is reported by: cairn %s %s', async (...args) => {
    const failure: unknown = await run([...args, '--no-ltm'], context, () => '0').then(
      () => undefined,
      (error: unknown) => error,
    )
    expect([exitCodeOf(failure), CairnError.is(failure) && failure.message]).toEqual([
      2,
      expect.stringContaining('switched off'),
    ])
  })
})

it.each(Object.keys(COMMANDS))('cairn %s accepts both flags, also in its subcommands', async (name) => {
  const command = new Command(name)
  ;(await COMMANDS[name]?.load())?.define(command, context)
  const all = command.commands.length > 0 ? command.commands : [command]
  for (const each of all) {
    addCommonOptions(each)
    expect(each.options.map(({ long }) => long)).toEqual(expect.arrayContaining(['--incognito', '--no-ltm']))
  }
})
