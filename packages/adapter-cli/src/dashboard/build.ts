/**
 * Builds the dashboard in a checkout where it is not built yet. Of several processes one builds, and the others wait
 * for it.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CairnError } from '@cairn/core'
import { codeOf, isRunning } from '@cairn/core/node'
import type { Terminal } from '../terminal/terminal.ts'
import { createBuildSteps } from './build-steps.ts'
import type { Dashboard } from './location.ts'

export interface BuildOutcome {
  readonly code: number
  /** All that it printed. */
  readonly output: string
}

interface BuildTimes {
  /** Between two looks at another's build, ms. */
  readonly lookMs: number
  /** Between two lines that say that it goes on, ms. */
  readonly tellMs: number
  /** How long to wait for another's build, ms. */
  readonly giveUpMs: number
}

const TIMES: BuildTimes = { lookMs: 500, tellMs: 10_000, giveUpMs: 600_000 }
/** How long a lock may be without its holder's id, ms: that is written a moment after the lock was taken. */
const NAMELESS_MS = 5_000
/** What Next prints when another build, which has no lock of ours, is running. */
const OTHER_BUILD = /Another next build process is already running/i

/** Runs a build; `onText` gets what it prints, as it comes. */
type RunBuild = (dashboard: Dashboard, onText: (text: string) => void) => Promise<BuildOutcome>

const runBuild: RunBuild = ({ root }, onText) =>
  new Promise((resolve) => {
    let output = ''
    const child = spawn(
      process.execPath,
      [
        join(root, 'node_modules', 'nx', 'dist', 'bin', 'nx.js'),
        'run',
        '@cairn/dashboard:build',
        '--output-style=stream',
      ],
      {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', NEXT_TELEMETRY_DISABLED: '1' },
      },
    )
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        const text = data.toString()
        output += text
        onText(text)
      })
    child.on('error', (error) => resolve({ code: 1, output: output + error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })

type Holder = 'nobody' | 'alive' | 'gone'

/** Whether a lock is free, held by a process that runs, or left behind by one that ended. */
const holderOf = (lock: string): Holder => {
  try {
    const pid = Number(readFileSync(join(lock, 'pid'), 'utf8'))
    return pid > 0 && isRunning(pid) ? 'alive' : 'gone'
  } catch {
    const taken = statSync(lock, { throwIfNoEntry: false })
    if (taken === undefined) return 'nobody'
    return Date.now() - taken.mtimeMs < NAMELESS_MS ? 'alive' : 'gone'
  }
}

/** Takes the lock; false where another process was faster. */
const takeLock = (lock: string): boolean => {
  try {
    // Making a folder succeeds in one process only.
    mkdirSync(lock)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  writeFileSync(join(lock, 'pid'), String(process.pid))
  return true
}

/** Resolves after a time in ms. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Resolves when the dashboard is built, at once where it is; one call builds at a time, and others wait for it.
 * Progress goes to standard error, and so does what a build printed that failed. Rejects where it fails, or takes
 * longer than `giveUpMs`.
 * @param build runs it; given by tests, as are the times
 */
export const prepareDashboard = async (
  dashboard: Dashboard,
  terminal: Pick<Terminal, 'note'>,
  build: RunBuild = runBuild,
  times: BuildTimes = TIMES,
): Promise<void> => {
  const lock = join(dashboard.folder, '.build-lock')
  const isBuilt = (): boolean => existsSync(join(dashboard.folder, '.next', 'BUILD_ID'))
  const startedAt = Date.now()
  const noteWaiting = createWaitingNotes(terminal, times, startedAt)
  // A build that was killed may have left parts that look like a whole.
  let isHalf = false
  for (;;) {
    const holder = holderOf(lock)
    if (holder === 'nobody' && isBuilt() && !isHalf) return
    if (holder === 'gone') {
      isHalf = true
      rmSync(lock, { recursive: true, force: true })
    }
    if (holder !== 'alive' && takeLock(lock) && (await buildUnderLock(lock, dashboard, terminal, build, times))) return
    noteWaiting()
    if (Date.now() - startedAt > times.giveUpMs)
      throw new CairnError(
        'unsupported',
        `The dashboard has been under construction by another call for ${seconds(startedAt)}; if there is none any more, remove ${lock} and try again.`,
      )
    await pause(times.lookMs)
  }
}

/** Builds, and removes the lock at the end. False: a build that was not started by us is under way. Rejects when it fails. */
const buildUnderLock = async (
  lock: string,
  dashboard: Dashboard,
  terminal: Pick<Terminal, 'note'>,
  build: RunBuild,
  times: BuildTimes,
): Promise<boolean> => {
  try {
    const outcome = await withProgress((onText) => build(dashboard, onText), terminal, times)
    if (outcome.code === 0) return true
    if (OTHER_BUILD.test(outcome.output)) return false
    terminal.note(outcome.output.trimEnd())
    throw new CairnError(
      'unsupported',
      'The dashboard could not be built; the reason is above, and "npx nx build @cairn/dashboard" tries again.',
    )
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

/** A function that says, first at once and then every `tellMs`, that another's build is waited for. */
const createWaitingNotes = (
  terminal: Pick<Terminal, 'note'>,
  { tellMs }: BuildTimes,
  startedAt: number,
): (() => void) => {
  let notedAt: number | undefined
  return () => {
    if (notedAt === undefined) terminal.note('The dashboard is being built by another call; waiting for it …')
    else if (Date.now() - notedAt >= tellMs) terminal.note(`Still waiting (${seconds(startedAt)}) …`)
    else return
    notedAt = Date.now()
  }
}

/** The time since then, in seconds. */
const seconds = (since: number): string => `${Math.round((Date.now() - since) / 1_000)} s`

/** Runs a build and says on standard error how it goes on. */
const withProgress = async <T>(
  work: (onText: (text: string) => void) => Promise<T>,
  terminal: Pick<Terminal, 'note'>,
  { tellMs }: BuildTimes,
): Promise<T> => {
  terminal.note('Building the dashboard from its sources; this happens once and takes a minute or two …')
  const startedAt = Date.now()
  let step = ''
  const timer = setInterval(
    () => terminal.note(`Still building (${seconds(startedAt)})${step === '' ? '' : `: ${step}`} …`),
    tellMs,
  )
  const readSteps = createBuildSteps((next) => {
    step = next
    terminal.note(`Building: ${step} (${seconds(startedAt)}) …`)
  })
  try {
    return await work(readSteps)
  } finally {
    clearInterval(timer)
  }
}
