/** Checks that the examples in each command's help are right usage: the options exist and accept these values. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CairnError } from '@cairn/core'
import type { Context } from './command.ts'
import { createContext } from './runtime/context.ts'
import { exitCodeOf, sentenceOf } from './runtime/failure.ts'
import { COMMANDS, run } from './program.ts'
import type { Terminal } from './terminal/terminal.ts'
import { SILENT_TERMINAL } from './testing/silent-terminal.ts'
import { cairnArguments, examplesOf, reasonToLeaveOut, startsServer } from './testing/doc-commands.ts'

/** Names that examples take for files of the user's. */
const FILES = [
  'home/backup/.claude/x.jsonl',
  'rollout.jsonl',
  'chat.jsonl',
  'queries.jsonl',
  '.clio/ltm.json',
  '.cairn/memory.md',
  'plan.md',
]

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-help-'))
  for (const file of FILES) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), '')
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A context whose store is never opened: a command that asks for it has accepted its arguments. */
const contextWithoutStore = (write: (text: string) => void): Context => {
  const terminal: Terminal = {
    ...SILENT_TERMINAL,
    write: (text) => {
      write(text)
      return Promise.resolve()
    },
    canAsk: true,
  }
  const variables = { CAIRN_HOME: join(folder, 'data') }
  const surroundings = { variables, platform: 'linux' as const, home: join(folder, 'home'), folder }
  const refuse = (): Promise<never> => Promise.reject(new CairnError('not-found', 'There is no store here.'))
  return {
    ...createContext(terminal, surroundings),
    engine: refuse,
    readEngine: refuse,
    sessionEngine: refuse,
    watchedEngine: refuse,
  }
}

const helpOf = async (path: readonly string[]): Promise<string> => {
  let help = ''
  const context = contextWithoutStore((text) => (help += text))
  await run([...path, '--help'], context, () => '')
  return help
}

/** The error of a call; undefined for right usage. */
const faultOf = async (example: string): Promise<string | undefined> => {
  if (reasonToLeaveOut(example) !== undefined) return undefined
  const args = cairnArguments(example)
  if (args === undefined) return `${example}: no command of cairn`
  // A server would not end, so its options are looked up in the help.
  if (startsServer(example)) {
    const help = await helpOf(args.slice(0, 1))
    const unknown = args.find((argument) => argument.startsWith('--') && !help.includes(`${argument} `))
    return unknown === undefined ? undefined : `${example}: ${unknown}`
  }
  try {
    // There is no standard input here.
    await run(
      args.map((argument) => (argument === '-' ? 'text' : argument)),
      contextWithoutStore(() => undefined),
      () => '',
    )
  } catch (error) {
    if (exitCodeOf(error) === 2) return `${example}: ${sentenceOf(error)}`
  }
  return undefined
}

/** Names below "Commands:". */
const commandsIn = (help: string): readonly string[] => {
  const [, list = ''] = /^Commands:\n((?: .*\n|\n)*)/m.exec(help) ?? []
  return [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name)
}

describe('the help', () => {
  it.each(Object.keys(COMMANDS))('of %s and its subcommands is at most 80 columns wide', async (name) => {
    const help = await helpOf([name])
    const all = [help, ...(await Promise.all(commandsIn(help).map((below) => helpOf([name, below]))))]
    expect(all.flatMap((text) => text.split('\n')).filter((line) => line.length > 80)).toEqual([])
  })

  it.each(['session', 'context'])('of %s has examples', async (name) => {
    expect(examplesOf(await helpOf([name])).length).toBeGreaterThan(1)
  })

  it('shows eight everyday commands, then the others in groups, each once', async () => {
    const help = await helpOf([])
    const groups = [...help.matchAll(/^(?<heading>[A-Z][^\n]*):\n(?<list>(?: {2}[a-z].*\n(?: {3}.*\n)*)+)/gm)]
      .map(({ groups: found }) => ({ heading: found?.['heading'], list: found?.['list'] ?? '' }))
      .filter(({ heading }) => heading !== 'Options' && heading !== 'Start here')
      .map(({ heading, list }) => ({ heading, names: [...list.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name) }))
    expect(groups[0]).toMatchObject({ heading: 'Everyday commands', names: { length: 8 } })
    expect(groups.length).toBeGreaterThan(2)
    expect(groups.flatMap(({ names }) => names)).toEqual(Object.keys(COMMANDS))
  })
})

describe('the examples in the help of', () => {
  it('cairn are right usage', async () => {
    const examples = examplesOf(await helpOf([]))
    expect(examples.length).toBeGreaterThan(3)
    for (const example of examples) expect(await faultOf(example)).toBeUndefined()
  })

  it.each(Object.keys(COMMANDS))('cairn %s are right usage', async (name) => {
    const help = await helpOf([name])
    const helps = await Promise.all(commandsIn(help).map((below) => helpOf([name, below])))
    const examples = [help, ...helps].flatMap(examplesOf)
    expect(examples.length).toBeGreaterThan(0)
    const faults: string[] = []
    for (const example of examples) {
      const fault = await faultOf(example)
      if (fault !== undefined) faults.push(fault)
    }
    expect(faults).toEqual([])
  })

  it('are distinguished from wrong usage', async () => {
    expect(await faultOf('cairn usage --by moon')).toMatch(/--by takes/)
    expect(await faultOf('cairn usage --nonsense')).toMatch(/unknown option/i)
    expect(await faultOf('cairn mcp --nonsense')).toMatch(/--nonsense/)
    expect(await faultOf('frobnicate')).toMatch(/no command of cairn/)
  })
})
