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

/** How a build ended. */
export interface BuildOutcome {
  readonly code: number
  /** All that it printed. */
  readonly output: string
}

/** How often something is checked or reported, ms. */
interface BuildTimes {
  /** Between two looks at another's build, ms. */
  readonly lookMs: number
  /** Between two lines that say that it goes on, ms. */
  readonly tellMs: number
  /** How long to wait for another's build, ms. */
  readonly giveUpMs: number
}

const TIMES: BuildTimes = { lookMs: 500, tellMs: 10_000, giveUpMs: 600_000 }
/** How long a lock may lack its holder's id, which is written just after the lock is taken. */
const NAMELESS_MS = 5_000
/** What Next prints if another build is running that does not use our lock. */
const OTHER_BUILD = /Another next build process is already running/i

/** Runs a build; `onText` receives its output as it arrives. */
type RunBuild = (dashboard: Dashboard, onText: (text: string) => void) => Promise<BuildOutcome>

/**
 * Builds the dashboard in a checkout, giving its output on as it comes. Resolves with the exit code and all output;
 * never rejects: what can't start has code 1.
 */
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

/** Who holds a lock. */
type Holder = 'nobody' | 'alive' | 'gone'

/**
 * Returns whether a lock is free, held by a running process, or left behind by one that ended. A lock without a name is
 * held for `NAMELESS_MS`.
 */
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

/** Takes the lock, a folder with this process's id; false if another has it. Throws if it can't be made otherwise. */
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
 * Resolves when the dashboard is built, at once if it already is. One process builds at a time, and others wait for it.
 * Progress goes to standard error, and so does the output of a failed build. Rejects with `unsupported` if the build
 * fails, or if another process's takes longer than `giveUpMs`. `build` and `times` are for tests.
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

/**
 * Builds, and releases the lock at the end. False if a build that we did not start is running. Rejects if the build
 * fails.
 */
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

/** Returns a function that reports, at once and then every `tellMs`, that another process is building. */
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

/** The time since then, such as "12 s". */
const seconds = (since: number): string => `${Math.round((Date.now() - since) / 1_000)} s`

/**
 * Runs a build and reports on standard error each step that begins, and every `tellMs` that it goes on. `work` passes
 * its output to `onText`. Resolves and rejects as it does.
 */
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
