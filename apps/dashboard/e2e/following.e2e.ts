/** `cairn dashboard` takes in what agents write: open pages show it without a reload, and say who follows. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { CHROMIUM_FLAGS, findChromium } from './chromium.ts'
import { describeInBrowser } from './dashboard-under-test.ts'

const CLI = fileURLToPath(new URL('../../../packages/adapter-cli/bin/cairn.js', import.meta.url))
const PATIENCE_MS = 60_000

interface Command {
  readonly child: ChildProcess
  /** The documents that it printed. */
  readonly lines: readonly Readonly<Record<string, unknown>>[]
  readonly ended: Promise<number | null>
  /** The first document that fits. */
  printed(key: string): Promise<Readonly<Record<string, unknown>>>
}

/** Whether a process of this id exists. */
const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describeInBrowser('the dashboard that follows transcripts', () => {
  const executablePath = findChromium()
  let folder: string
  let data: string
  let browser: Browser
  let commands: Command[]

  beforeAll(async () => {
    browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: CHROMIUM_FLAGS,
    })
  })
  afterAll(() => browser.close())
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-following-'))
    data = join(folder, 'data')
    mkdirSync(join(folder, 'home'))
    commands = []
  })
  afterEach(async () => {
    for (const { child, ended } of commands) {
      child.kill('SIGTERM')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  })

  const cairn = (...args: readonly string[]): Command => {
    const child = spawn(process.execPath, [CLI, ...args, '--json'], {
      cwd: folder,
      env: {
        NODE_ENV: 'production',
        PATH: process.env['PATH'],
        HOME: join(folder, 'home'),
        CAIRN_HOME: data,
        TZ: 'UTC',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines: Readonly<Record<string, unknown>>[] = []
    const reader = createInterface({ input: child.stdout })
    reader.on('line', (line) => lines.push(JSON.parse(line) as Readonly<Record<string, unknown>>))
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const command: Command = {
      child,
      lines,
      ended,
      printed: async (key) => {
        for (;;) {
          const found = lines.find((line) => key in line || line['event'] === key)
          if (found !== undefined) return found
          await once(reader, 'line', { signal: AbortSignal.timeout(PATIENCE_MS) })
        }
      },
    }
    commands.push(command)
    return command
  }

  const openPage = async (dashboard: Command): Promise<Page> => {
    const { url } = await dashboard.printed('url')
    const page = await (await browser.newContext()).newPage()
    await page.goto(String(url))
    return page
  }

  /** A reply of the model in a session of Claude Code. */
  const append = (session: string, number: number): void => {
    const path = join(folder, 'home', '.claude', 'projects', '-code-shop', `${session}.jsonl`)
    mkdirSync(join(path, '..'), { recursive: true })
    const line = {
      type: 'assistant',
      uuid: `${session}-${number}`,
      sessionId: session,
      timestamp: new Date(Date.now() - 60_000 + number).toISOString(),
      cwd: '/code/shop',
      requestId: `request-${session}-${number}`,
      message: {
        id: `message-${session}-${number}`,
        role: 'assistant',
        model: 'claude-sonnet-4-5-20250929',
        content: [{ type: 'text', text: `Step ${number} is done${'.'.repeat(number)}` }],
        usage: { input_tokens: 10 * number, cache_read_input_tokens: 1_000 * number, output_tokens: 70 + number },
      },
    }
    appendFileSync(path, `${JSON.stringify(line)}\n`)
  }

  const shows = (page: Page, requests: number): Promise<void> =>
    page.locator('[data-total="Requests"]', { hasText: String(requests) }).waitFor({ timeout: PATIENCE_MS })
  const says = (page: Page, text: string): Promise<void> =>
    page.getByRole('status').filter({ hasText: text }).waitFor({ timeout: PATIENCE_MS })

  it('shows what comes without a reload, says how many transcripts it follows, and leaves nothing behind', async () => {
    append('cart', 1)
    append('login', 1)
    const dashboard = cairn('dashboard', '--no-open')
    const page = await openPage(dashboard)
    await says(page, 'Following 2 transcripts')
    await shows(page, 2)
    append('cart', 2)
    append('search', 1)
    append('search', 2)
    await says(page, 'Following 3 transcripts')
    await shows(page, 5)
    const note = page.getByRole('status').getByRole('note')
    await note.focus()
    await page.getByText('This dashboard takes in what your agents write').last().waitFor()
    const screenshots = process.env['CAIRN_SCREENSHOTS']
    if (screenshots !== undefined) {
      mkdirSync(screenshots, { recursive: true })
      await page.screenshot({ path: join(screenshots, 'following.png') })
    }
    const { pid } = await dashboard.printed('pid')
    dashboard.child.kill('SIGTERM')
    expect(await dashboard.ended).toBe(0)
    expect(runs(Number(pid))).toBe(false)
    expect(readdirSync(join(data, 'watch'))).toEqual([])
  })

  it('leaves it to a watch that runs, names it, and takes over when that is killed', async () => {
    append('cart', 1)
    const watch = cairn('watch')
    await watch.printed('following')
    const page = await openPage(cairn('dashboard', '--no-open'))
    await says(page, 'Followed by cairn watch')
    append('cart', 2)
    await shows(page, 2)
    watch.child.kill('SIGKILL')
    await watch.ended
    append('cart', 3)
    await says(page, 'Following 1 transcript')
    await shows(page, 3)
  })

  it.each([
    ['a store that was only named for this call', ['--store', 'file:backup.db'], 'named with --store'],
    ['what its settings switch off', [], 'dashboard.watch'],
  ])('takes nothing into %s', async (_what, args, reason) => {
    append('cart', 1)
    const [store = 'file:data/cairn.db'] = args.slice(1)
    await cairn('import', '--agent', 'codex', '--store', store).ended
    if (args.length === 0) await cairn('config', 'set', 'dashboard.watch', 'false').ended
    const page = await openPage(cairn('dashboard', '--no-open', ...args))
    await says(page, 'Not following transcripts')
    await page.getByRole('status').getByRole('note').focus()
    await page.getByText(reason).last().waitFor()
    append('cart', 2)
    // As long as it takes where it is followed, twice.
    await wait(2_000)
    expect(existsSync(join(data, 'watch'))).toBe(false)
    expect(await page.locator('[data-total="Requests"]').count()).toBe(0)
  })

  it('goes on once the store is back that was moved away, and fits a narrow window', async () => {
    append('cart', 1)
    const page = await openPage(cairn('dashboard', '--no-open'))
    await says(page, 'Following 1 transcript')
    await shows(page, 1)
    const store = join(data, 'cairn.db')
    const move = (from: string, to: string): void => {
      for (const suffix of ['', '-wal', '-shm']) if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix)
    }
    await page.setViewportSize({ width: 340, height: 700 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(340)
    move(store, join(data, 'away.db'))
    await page.getByText('it was deleted or moved while it was open').first().waitFor({ timeout: PATIENCE_MS })
    append('cart', 2)
    move(join(data, 'away.db'), store)
    await says(page, 'Following 1 transcript')
    await shows(page, 2)
    expect(existsSync(join(data, 'away.db'))).toBe(false)
  })

  it('leaves out agents that the settings exclude', async () => {
    append('cart', 1)
    const codex = join(folder, 'home', '.codex', 'sessions', '2026', '01', '03')
    mkdirSync(codex, { recursive: true })
    appendFileSync(
      join(codex, 'rollout-2026-01-03T09-00-00-0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d11.jsonl'),
      `${JSON.stringify({ timestamp: '2026-01-03T09:00:00.000Z', type: 'session_meta', payload: { id: '0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d11', cwd: '/code/shop' } })}\n`,
    )
    await cairn('config', 'set', 'watch.exclude', 'codex,pi').ended
    const page = await openPage(cairn('dashboard', '--no-open'))
    await says(page, 'Following 1 transcript')
    await shows(page, 1)
  })
})
