import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareDashboard } from './build.ts'
import type { BuildOutcome } from './build.ts'
import type { Dashboard } from './location.ts'

const TIMES = { lookMs: 1, tellMs: 60_000, giveUpMs: 60_000 }

let dashboard: Dashboard
let notes: string[]
const terminal = { note: (text: string) => void notes.push(text) }

beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'cairn-build-'))
  dashboard = { root, folder: root, script: join(root, 'serve.mjs') }
  notes = []
})

afterEach(() => rmSync(dashboard.root, { recursive: true, force: true }))

const finish = (): BuildOutcome => {
  mkdirSync(join(dashboard.folder, '.next'), { recursive: true })
  writeFileSync(join(dashboard.folder, '.next', 'BUILD_ID'), 'x')
  return { code: 0, output: '' }
}
const lock = (): string => join(dashboard.folder, '.build-lock')

describe('prepareDashboard', () => {
  it('builds once for simultaneous calls; the others say that they wait', async () => {
    let builds = 0
    let end: (outcome: BuildOutcome) => void = () => undefined
    const build = (): Promise<BuildOutcome> => {
      builds += 1
      // As Next does: this file exists before the build is complete.
      finish()
      return new Promise((resolve) => (end = resolve))
    }
    const calls = [1, 2, 3].map(() => prepareDashboard(dashboard, terminal, build, TIMES))
    let done = 0
    for (const call of calls) void call.then(() => (done += 1))
    while (notes.length < 3) await new Promise(setImmediate)
    expect(done).toBe(0)
    end({ code: 0, output: '' })
    await Promise.all(calls)
    expect(builds).toBe(1)
    expect(notes.map((note) => note.split(' ')[0]).sort()).toEqual(['Building', 'The', 'The'])
    expect(existsSync(lock())).toBe(false)
  })

  it('prints nothing when the dashboard is built already', async () => {
    finish()
    await prepareDashboard(dashboard, terminal, () => Promise.reject(new Error('not again')), TIMES)
    expect(notes).toEqual([])
  })

  it('builds again after a build that was killed, whatever it left', async () => {
    finish()
    mkdirSync(lock())
    // No process has this id.
    writeFileSync(join(lock(), 'pid'), '999999999')
    let builds = 0
    await prepareDashboard(dashboard, terminal, () => Promise.resolve().then(() => ((builds += 1), finish())), TIMES)
    expect(builds).toBe(1)
    expect(existsSync(lock())).toBe(false)
  })

  it('waits for a build that was started without this command', async () => {
    const outcomes: readonly BuildOutcome[] = [
      { code: 1, output: '⨯ Another next build process is already running.\n' },
    ]
    let calls = 0
    await prepareDashboard(dashboard, terminal, () => Promise.resolve(outcomes[calls++] ?? finish()), TIMES)
    expect(calls).toBe(2)
    expect(notes.join('\n')).not.toContain('⨯')
  })

  it('shows why it failed, and leaves no lock', async () => {
    await expect(
      prepareDashboard(dashboard, terminal, () => Promise.resolve({ code: 1, output: 'no room\n' }), TIMES),
    ).rejects.toThrow(/could not be built/)
    expect(notes.at(-1)).toBe('no room')
    expect(existsSync(lock())).toBe(false)
  })
})
