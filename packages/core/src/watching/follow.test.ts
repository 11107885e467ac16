import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createFileSystem } from '../node/file-system.ts'
import { follow } from './follow.ts'
import type { Notices } from './folder-watches.ts'

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
  /** The system ends the watch of a folder, which was removed or renamed. */
  sayEnded(path: string): void
  readonly troubles: unknown[]
  /** How often taking in fails from now on. */
  failures: number
  readonly watched: ReadonlySet<string>
  /** Files that can't be read. */
  readonly unread: Set<string>
  /** Files of which more may come without a change of them. */
  readonly unsettled: Set<string>
  /** How many of those that were handed on together there were. */
  readonly taken: number[]
  /** The count that was told last. */
  count: number
  /** How many watches the system grants. */
  granted: number
  refusals: number
  end(): Promise<void>
}

/** Follows the folder in a time that the test makes pass. */
const start = async (roots: readonly string[] = [folder], granted = 1_000): Promise<Run> => {
  let now = Date.now()
  let sleeping: { readonly until: number; readonly end: () => void } | undefined
  let taken: string[] = []
  let isStarted = false
  const controller = new AbortController()
  const watches = new Map<string, { readonly changed: (path: string) => void; readonly ended: () => void }>()
  const troubles: unknown[] = []
  const notices: Notices = {
    coversFoldersBelow: false,
    watch: (path, changed, ended) => {
      if (watches.size >= run.granted) return 'refused'
      watches.set(path, { changed, ended })
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
    say: (path) => watches.get(dirname(path))?.changed(path),
    sayEnded: (path) => watches.get(path)?.ended(),
    troubles,
    failures: 0,
    unread: new Set(),
    unsettled: new Set(),
    taken: [],
    count: 0,
    granted,
    refusals: 0,
    get watched() {
      return new Set(watches.keys())
    },
    end: async () => {
      controller.abort()
      await asleep()
      wake()
      await running
      expect(run.watched.size).toBe(0)
    },
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
        return Promise.resolve({ unread: [...run.unread] })
      },
      take: (paths) => {
        if (run.failures > 0) {
          run.failures -= 1
          return Promise.reject(new Error('the store is locked'))
        }
        run.taken.push(paths.length)
        taken.push(...paths.filter((path) => !run.unread.has(path)))
        return Promise.resolve({
          unread: paths.filter((path) => run.unread.has(path)),
          later: paths.filter((path) => run.unsettled.has(path)),
        })
      },
      onCount: (count) => (run.count = count),
      onUnwatched: () => (run.refusals += 1),
      onTrouble: (error) => troubles.push(error),
      signal: controller.signal,
    },
  )
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

  it('watches a folder again that was removed and made again, though it looks the same to the system', async () => {
    const first = write('project/1.jsonl', 'x')
    const run = await start()
    const project = dirname(first)
    rmSync(project, { recursive: true })
    // The folder that stands there by now may have the very inode of the one that went.
    run.sayEnded(project)
    expect(run.watched).not.toContain(project)
    const second = write('project/2.jsonl', 'xyz')
    expect(await run.pass(100)).toEqual([second])
    expect(run.watched).toContain(project)
    await run.end()
  })

  it('lets go of folders that are gone, and counts the files that are there', async () => {
    write('a/1.jsonl', 'x')
    const gone = write('b/2.jsonl', 'xy')
    const run = await start()
    expect(run.count).toBe(2)
    rmSync(dirname(gone), { recursive: true })
    await run.pass(31_000)
    expect(run.count).toBe(1)
    expect(run.watched).toEqual(new Set([folder, join(folder, 'a')]))
    await run.end()
  })

  it('passes over a known file once a link stands in its place, and takes what replaces it as a whole', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'cairn-outside-'))
    const secret = join(outside, 'other.jsonl')
    writeFileSync(secret, 'not to be taken')
    const linked = write('linked.jsonl', 'x')
    const replaced = write('replaced.jsonl', 'x')
    const run = await start()
    rmSync(linked)
    symlinkSync(secret, linked)
    renameSync(write('fresh.tmp', 'another content'), replaced)
    for (const path of [linked, replaced]) run.say(path)
    expect(await run.pass(3_000)).toEqual([replaced])
    rmSync(outside, { recursive: true })
    await run.end()
  })

  it('takes a file that could not be read once something is said of it, and else at the next look at all', async () => {
    const early = write('early.jsonl', 'x')
    const late = write('late.jsonl', 'xx')
    const run = await start()
    run.unread.add(early).add(late)
    for (const path of [early, late]) {
      appendFileSync(path, 'y')
      run.say(path)
    }
    expect(await run.pass(3_000)).toEqual([])
    run.unread.clear()
    // Its rights were changed: neither its size nor its time has.
    run.say(early)
    expect(await run.pass(100)).toEqual([early])
    expect(await run.pass(31_000)).toEqual([late])
    await run.end()
  })

  it('takes a file that is not settled each second, without a change of it, and holds up no other', async () => {
    const open = write('open.jsonl', 'x')
    const other = write('other.jsonl', 'xx')
    const run = await start()
    run.unsettled.add(open)
    appendFileSync(open, 'y')
    run.say(open)
    expect(await run.pass(100)).toEqual([open])
    appendFileSync(other, 'y')
    run.say(other)
    expect(await run.pass(100)).toEqual([other])
    expect(await run.pass(3_000)).toEqual([open, open, open])
    run.unsettled.clear()
    expect(await run.pass(1_100)).toEqual([open])
    expect(await run.pass(5_000)).toEqual([])
    expect(run.count).toBe(2)
    await run.end()
  })

  it('hands on the latest first, so that one that grows does not wait for thousands that just came', async () => {
    const run = await start()
    const old = Array.from({ length: 200 }, (_, index) =>
      write(`restored/${String(index).padStart(3, '0')}.jsonl`, 'x'),
    )
    const longAgo = new Date(Date.now() - 90 * 86_400_000)
    for (const path of old) utimesSync(path, longAgo, longAgo)
    run.say(dirname(old[0] ?? ''))
    const live = write('live.jsonl', 'now')
    run.say(live)
    const found = await run.pass(2_000)
    expect(found[0]).toBe(live)
    expect([...found].sort()).toEqual([...old, live].sort())
    expect(Math.max(...run.taken)).toBeLessThan(100)
    await run.end()
  })

  it('looks every few seconds at what the system grants no watch for, and says so once', async () => {
    for (const name of ['a', 'b', 'c', 'd']) write(`${name}/1.jsonl`, 'x')
    const run = await start([folder], 2)
    expect(run.watched.size).toBe(2)
    const found: string[] = []
    for (const name of ['a', 'b', 'c', 'd']) write(`${name}/2.jsonl`, 'xy')
    found.push(...(await run.pass(3_000)))
    expect(found.sort()).toEqual(['a', 'b', 'c', 'd'].map((name) => join(folder, name, '2.jsonl')))
    expect(run.refusals).toBe(1)
    run.granted = 1_000
    await run.pass(3_000)
    expect(run.watched.size).toBe(5)
    await run.end()
  })

  it('finds what grows without a notice, also after the clock was set back', async () => {
    const path = write('a.jsonl', 'x')
    const run = await start()
    const before = new Date(Date.now() - 3 * 3_600_000)
    appendFileSync(path, 'more')
    utimesSync(path, before, before)
    run.say(path)
    expect(await run.pass(200)).toEqual([path])
    appendFileSync(path, 'and more')
    utimesSync(path, before, before)
    expect(await run.pass(2_000)).toEqual([path])
    await run.end()
  })
})
