import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createFileSystem } from '../node/file-system.ts'
import { follow } from './follow.ts'
import type { Notices } from './follow.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-follow-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, text: string): string => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

interface Run {
  /** Lets so much time pass, ms, in small steps; what is taken in on the way. */
  pass(ms: number): Promise<readonly string[]>
  /** The system says that a path changed, if its folder is watched. */
  say(path: string): void
  readonly troubles: unknown[]
  /** How often taking in fails from now on. */
  failures: number
  readonly watched: ReadonlySet<string>
  end(): Promise<void>
}

/** Follows the folder in a time that the test makes pass. */
const start = async (roots: readonly string[] = [folder]): Promise<Run> => {
  let now = Date.now()
  let sleeping: { readonly until: number; readonly end: () => void } | undefined
  let taken: string[] = []
  let isStarted = false
  const controller = new AbortController()
  const watches = new Map<string, (path: string) => void>()
  const troubles: unknown[] = []
  const notices: Notices = {
    coversFoldersBelow: false,
    watch: (path, changed) => {
      watches.set(path, changed)
      return { close: () => watches.delete(path) }
    },
  }
  const wake = (): void => {
    const end = sleeping?.end
    sleeping = undefined
    end?.()
  }
  const asleep = async (): Promise<void> => {
    while (sleeping === undefined) await new Promise((resolve) => setImmediate(resolve))
  }
  const running = follow(
    {
      fileSystem: createFileSystem(),
      notices,
      now: () => now,
      sleep: (ms) => new Promise((end) => (sleeping = { until: now + ms, end: () => end() })),
      wake,
    },
    {
      roots,
      isFollowedFile: (name) => name.endsWith('.jsonl'),
      isFollowedFolder: (name) => name !== 'node_modules',
      takeAll: () => {
        isStarted = true
        return Promise.resolve()
      },
      take: (paths) => {
        if (run.failures > 0) {
          run.failures -= 1
          return Promise.reject(new Error('the store is locked'))
        }
        taken.push(...paths)
        return Promise.resolve([])
      },
      onTrouble: (error) => troubles.push(error),
      signal: controller.signal,
    },
  )
  const run: Run = {
    pass: async (ms) => {
      for (const end = now + ms; now < end;) {
        await asleep()
        now = Math.min(end, Math.max(now + 1, sleeping?.until ?? now))
        if (sleeping !== undefined && sleeping.until <= now) wake()
        await asleep()
      }
      const found = taken
      taken = []
      return found
    },
    say: (path) => watches.get(dirname(path))?.(path),
    troubles,
    failures: 0,
    get watched() {
      return new Set(watches.keys())
    },
    end: async () => {
      controller.abort()
      await asleep()
      wake()
      await running
    },
  }
  await asleep()
  expect(isStarted).toBe(true)
  return run
}

describe('following a folder', () => {
  it('imports a file soon after a notification, and never an unchanged one again', async () => {
    const path = write('a/one.jsonl', 'x')
    write('a/two.jsonl', 'yy')
    const run = await start()
    expect(await run.pass(5_000)).toEqual([])
    appendFileSync(path, 'more')
    run.say(path)
    expect(await run.pass(100)).toEqual([path])
    run.say(path)
    expect(await run.pass(5_000)).toEqual([])
    await run.end()
  })

  it('imports files in new folders at any depth, and watches these', async () => {
    const run = await start()
    const path = write('new/deep/er/s.jsonl', 'x')
    run.say(join(folder, 'new'))
    expect(await run.pass(100)).toEqual([path])
    expect(run.watched).toContain(dirname(path))
    await run.end()
  })

  it('detects growth of a recently changed file within two seconds without a notification', async () => {
    const path = write('a/one.jsonl', 'x')
    const run = await start()
    appendFileSync(path, 'more')
    expect(await run.pass(2_000)).toEqual([path])
    await run.end()
  })

  it('finds new files without a notification when it scans all folders', async () => {
    const run = await start()
    const path = write('b/late.jsonl', 'x')
    expect(await run.pass(31_000)).toEqual([path])
    await run.end()
  })

  it('accepts a root that is created later, or again', async () => {
    const root = join(folder, 'home', 'projects')
    const run = await start([root])
    const first = write('home/projects/x/1.jsonl', 'x')
    expect(await run.pass(2_000)).toEqual([first])
    renameSync(root, `${root}-old`)
    expect(await run.pass(2_000)).toEqual([])
    const second = write('home/projects/x/2.jsonl', 'xyz')
    expect(await run.pass(2_000)).toEqual([second])
    const third = write('home/projects/x/3.jsonl', 'x')
    run.say(third)
    expect(await run.pass(100)).toEqual([third])
    await run.end()
  })

  it('watches a single file, and nothing beside it', async () => {
    const path = write('logs/chat.txt', 'x')
    const run = await start([path])
    const other = write('logs/other.jsonl', 'x')
    run.say(other)
    appendFileSync(path, 'y')
    run.say(path)
    expect(await run.pass(100)).toEqual([path])
    await run.end()
  })

  it('skips links, empty files, other names and excluded folders', async () => {
    const run = await start()
    const target = write('real.jsonl', 'x')
    write('empty.jsonl', '')
    write('notes.md', 'x')
    write('node_modules/p/x.jsonl', 'x')
    symlinkSync(target, join(folder, 'link.jsonl'))
    for (const name of ['real.jsonl', 'empty.jsonl', 'notes.md', 'node_modules', 'link.jsonl'])
      run.say(join(folder, name))
    expect(await run.pass(3_000)).toEqual([target])
    await run.end()
  })

  it('retries failed files with increasing delays', async () => {
    const path = write('a.jsonl', 'x')
    const run = await start()
    run.failures = 3
    appendFileSync(path, 'y')
    run.say(path)
    expect(await run.pass(100)).toEqual([])
    expect(run.troubles).toHaveLength(1)
    expect(await run.pass(10_000)).toEqual([path])
    expect(run.troubles).toHaveLength(3)
    await run.end()
  })
})
