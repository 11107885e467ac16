/**
 * What README and the documentation print runs as it is printed: each page from its top to its end, in a
 * folder with the samples and a home without anything.
 */
import { describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { callsCairn, reasonToLeaveOut, startsServer, stepsOf, type PrintedCommand } from '../testing/doc-commands.ts'
import { createSandbox, type CliResult, type Sandbox } from '../testing/run-cli.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

const pagesBelow = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)

const packagePages = readdirSync(join(ROOT, 'packages')).flatMap((name) =>
  readdirSync(join(ROOT, 'packages', name))
    .filter((file) => file === 'README.md')
    .map((file) => `packages/${name}/${file}`),
)

const pages = ['README.md', 'CONTRIBUTING.md', 'samples/README.md', ...packagePages, ...pagesBelow('docs')].sort()

/** A folder like a fresh clone: a git repository with the samples. */
const clone = (): Sandbox => {
  const box = createSandbox()
  symlinkSync(join(ROOT, 'samples'), join(box.folder, 'samples'))
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: box.folder })
  }
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '--message', 'The first one')
  return box
}

const inClone = async <Value>(use: (box: Sandbox) => Promise<Value>): Promise<Value> => {
  const box = clone()
  try {
    return await use(box)
  } finally {
    box.remove()
  }
}

/** The id of the memory entry that was added last, as ids are in order of time. */
const newestEntry = async (box: Sandbox): Promise<string> => {
  const { entries } = (await box.json('memory', 'list')) as { readonly entries: readonly { readonly id: string }[] }
  const newest = entries
    .map(({ id }) => id)
    .sort()
    .at(-1)
  if (newest === undefined) throw new Error('A command takes <id>, and nothing was added to the memory before it.')
  return newest
}

/** A server would not end, so its options are looked up in the help. */
const serverOptionsAreKnown = async (box: Sandbox, text: string): Promise<CliResult> => {
  const [, name = ''] = /\bcairn\s+(mcp|dashboard|watch|gateway|otel)\b/.exec(text) ?? []
  const help = await box.cairn(name, '--help')
  const unknown = [...text.matchAll(/\s(--[\w-]+)/g)]
    .map(([, option = '']) => option)
    .find((option) => !help.stdout.includes(`${option} `))
  return unknown === undefined ? help : { code: 2, stdout: '', stderr: `${name} has no ${unknown}` }
}

/** A page runs dozens of processes, several pages at once. */
const MOST_MS = 1_800_000

const ADDS = /\bmemory (?:add|contradict .*--replacement)\b/

/** What went wrong with a page, a line for each command. */
const faultsOf = async (page: string, box: Sandbox): Promise<readonly string[]> => {
  const faults: string[] = []
  let entry = ''
  const runOne = async ({ text, codes, line }: PrintedCommand): Promise<void> => {
    if (reasonToLeaveOut(text) !== undefined) return
    if (!callsCairn(text) && !text.startsWith('cat > ')) {
      faults.push(`${page}:${line} is no command of cairn, and none that is known to be left out: ${text}`)
      return
    }
    const typed = text.replaceAll('<id>', entry)
    const { code, stderr } = startsServer(text) ? await serverOptionsAreKnown(box, text) : await box.shell(typed)
    if (!codes.some((expected) => expected === code))
      faults.push(`${page}:${line} ended with ${code}, not ${codes.join(' or ')}: ${typed}\n${stderr}`)
    if (ADDS.test(text) && code === 0) entry = await newestEntry(box)
  }
  for (const step of stepsOf(readFileSync(join(ROOT, page), 'utf8'))) {
    if (step.kind === 'file') box.file(step.name, step.content)
    else await runOne(step)
  }
  return faults
}

describe('the documentation', () => {
  const withCommands = pages.filter((page) =>
    stepsOf(readFileSync(join(ROOT, page), 'utf8')).some((step) => step.kind === 'command'),
  )

  it('has pages with commands', () => {
    expect(withCommands).toEqual(expect.arrayContaining(['README.md', 'docs/user-guide/cli.md']))
  })

  it.concurrent.each(withCommands)(
    '%s runs as printed',
    async (page) => {
      expect(await inClone((box) => faultsOf(page, box))).toEqual([])
    },
    MOST_MS,
  )
})
