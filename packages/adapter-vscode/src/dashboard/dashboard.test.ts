import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dashboardAddress, startDashboard } from './dashboard-process.ts'
import type { RunningDashboard } from './dashboard-process.ts'
import { createSharedDashboard } from './shared-dashboard.ts'

describe('the dashboard’s process', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-dashboard-'))
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const command = (script: string): string => {
    const path = join(folder, 'cairn')
    writeFileSync(path, `#!${process.execPath}\n${script}\n`)
    chmodSync(path, 0o755)
    return path
  }

  const start = (script: string, signal = new AbortController().signal): Promise<RunningDashboard> =>
    startDashboard({
      command: { path: command(script), args: [], variables: { CAIRN_EXTRA: 'yes' } },
      store: 'file:/s.db',
      folder,
      variables: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      signal,
    })

  it('is ready when it has printed its address, with the store in its environment', async () => {
    const running = await start(`
      const told = JSON.stringify({ url: 'http://127.0.0.1:4100/?token=' + process.env.CAIRN_DATABASE_URL + (process.env.ELECTRON_RUN_AS_NODE ?? '') + process.env.CAIRN_EXTRA, pid: process.pid }, undefined, 2)
      process.stdout.write(told.slice(0, 12))
      setTimeout(() => process.stdout.write(told.slice(12)), 20)
      setInterval(() => undefined, 1000)`)
    expect(running.url).toBe('http://127.0.0.1:4100/?token=file:/s.dbyes')
    running.stop()
    await running.ended
  })

  it('fails with the last line that it printed', async () => {
    await expect(
      start(`console.error('Building …\\nThe dashboard could not be built.'); process.exit(1)`),
    ).rejects.toThrow('The dashboard could not be built.')
  })

  it('is not started once nobody wants it any more', async () => {
    const started = join(folder, 'started')
    const script = `require('node:fs').writeFileSync(${JSON.stringify(started)}, '')`
    await expect(start(script, AbortSignal.abort())).rejects.toThrow('The dashboard was not started.')
    expect(existsSync(started)).toBe(false)
  })

  it('is opened only at an address of this machine', () => {
    expect(dashboardAddress('{"url":"https://example.com/"}')).toBeUndefined()
    expect(dashboardAddress('{"url":"http://127.0.0.1.example.com/"}')).toBeUndefined()
    expect(dashboardAddress('{"url":"http://localhost:1/?token=a"}')).toEqual({
      url: 'http://localhost:1/?token=a',
      pid: 0,
    })
    expect(dashboardAddress('[1')).toBeUndefined()
  })
})

describe('one dashboard for all windows', () => {
  const machine = () => {
    const kept = new Map<string, string>()
    const alive = new Set<string>()
    let started = 0
    const window = (works = true) =>
      createSharedDashboard({
        secrets: {
          get: async (key) => {
            if (!works) throw new Error('no keyring')
            return kept.get(key)
          },
          store: async (key, value) => void kept.set(key, value),
          delete: async (key) => void kept.delete(key),
        },
        answers: async ({ url }) => alive.has(url),
        start: async () => {
          started += 1
          const url = `http://127.0.0.1:${started}/`
          alive.add(url)
          let end: () => void = () => undefined
          const ended = new Promise<void>((resolve) => {
            end = () => {
              alive.delete(url)
              resolve()
            }
          })
          return { url, pid: started, ended, stop: () => end() }
        },
      })
    return { kept, alive, window, started: () => started }
  }
  const { signal } = new AbortController()

  it('is started once, found by the others, and started again when it is gone', async () => {
    const { window, started, kept } = machine()
    const [one, two] = [window(), window()]
    const [first, second] = await Promise.all([one.address('s', signal), one.address('s', signal)])
    expect([first, second, await two.address('s', signal), started()]).toEqual([first, first, first, 1])
    one.close()
    await new Promise(setImmediate)
    expect(kept.size).toBe(0)
    expect(await two.address('s', signal)).not.toBe(first)
    expect(await two.address('other', signal)).not.toBe(await two.address('s', signal))
    expect(started()).toBe(3)
  })

  it('stays known to the others when one that was given up ends', async () => {
    const { window, alive, kept } = machine()
    const [one, two] = [window(), window()]
    const first = await one.address('s', signal)
    // Busy for too long to answer: another window starts its own.
    alive.delete(first)
    const second = await two.address('s', signal)
    expect(second).not.toBe(first)
    one.close()
    await new Promise(setImmediate)
    expect([...kept.values()].some((text) => text.includes(second))).toBe(true)
    expect(await window().address('s', signal)).toBe(second)
  })

  it('works without a keyring, and with invalid data in it', async () => {
    const { window, kept, started } = machine()
    const alone = window(false)
    expect(await alone.address('s', signal)).toBe(await alone.address('s', signal))
    kept.set('cairn.dashboard s', '{"url":1}')
    await window().address('s', signal)
    expect(started()).toBe(2)
  })
})
