/** Finds the processes that a command started, also those that left its process group, and ends them. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Every process below a command has it in its environment, unless it took it out. */
export const COMMAND_VARIABLE = 'CAIRN_COMMAND'

export interface CommandProcesses {
  /** Of the shell, which leads its process group. */
  readonly pid: number
  /** The value of the variable. */
  readonly mark: string
}

export interface FoundProcess {
  readonly pid: number
  readonly name: string
}

const POLL_MS = 25
/** A process that starts others all the time is looked for so often. */
const ROUNDS = 40

/** Whether a process of the command's own group is running. */
export const isGroupAlive = ({ pid }: CommandProcesses): boolean => signalTo(-pid, 0)

/**
 * Ends what is in a command's process group: asks first (SIGTERM), then forces what is left after `graceMs`. Resolves
 * when that was sent; never rejects.
 */
export const endGroup = async (command: CommandProcesses, graceMs: number): Promise<void> => {
  signalTo(-command.pid, 'SIGTERM')
  await waitUntil(() => !isGroupAlive(command), graceMs)
  if (isGroupAlive(command)) signalTo(-command.pid, 'SIGKILL')
}

/**
 * Ends a command and all that `processesBelow` finds of it, what left its group too: asks first (SIGTERM), then forces
 * what is left after `graceMs`, again until nothing is found or 40 times; on Windows it forces at once. Never rejects.
 */
export const endEverything = async (command: CommandProcesses, graceMs: number): Promise<void> => {
  if (process.platform === 'win32') {
    endTree(command.pid)
    return
  }
  const below = processesBelow(command)
  signalTo(-command.pid, 'SIGTERM')
  for (const { pid } of below) signalTo(pid, 'SIGTERM')
  await waitUntil(() => !isGroupAlive(command) && processesBelow(command).length === 0, graceMs)
  for (let round = 0; round < ROUNDS; round++) {
    const left = [...below.filter(({ pid }) => isMarked(pid, command.mark)), ...processesBelow(command)]
    const hadGroup = signalTo(-command.pid, 'SIGKILL')
    for (const { pid } of left) signalTo(pid, 'SIGKILL')
    if (left.length === 0 && !hadGroup) return
    await pause(POLL_MS)
  }
}

/** Forces a command's group to end, without waiting: for the end of this process. */
export const killGroupNow = ({ pid }: CommandProcesses): void => void signalTo(-pid, 'SIGKILL')

/**
 * Processes of a command that are running, its shell too: by who started whom and, on Linux, by its mark. This process
 * is never among them.
 */
export const processesBelow = ({ pid: shell, mark }: CommandProcesses): readonly FoundProcess[] => {
  const parents = parentsOf()
  const below = new Set<number>([shell])
  // Parents may have higher numbers than children: until nothing is added.
  for (let size = 0; size !== below.size;) {
    size = below.size
    for (const [pid, { parent }] of parents) if (below.has(parent)) below.add(pid)
  }
  const found: FoundProcess[] = []
  for (const [pid, { name, isOver }] of parents)
    if (!isOver && pid !== process.pid && (below.has(pid) || isMarked(pid, mark))) found.push({ pid, name })
  return found
}

interface ProcessFacts {
  readonly parent: number
  readonly name: string
  /** It has ended, and its parent has not asked how. */
  readonly isOver: boolean
}

/** Parent, name and state of all processes, by id; `folder`: where Linux has them. None where nothing lists them. */
export const parentsOf = (folder = '/proc'): ReadonlyMap<number, ProcessFacts> => {
  const found = process.platform === 'linux' ? fromProcessFolder(folder) : undefined
  // A container may be without.
  return found === undefined || found.size === 0 ? fromList() : found
}

/**
 * Parent, name and state of all processes, by id, as a `/proc` has them; none where it is not there. One that ends
 * meanwhile is left out.
 */
const fromProcessFolder = (folder: string): ReadonlyMap<number, ProcessFacts> => {
  const facts = new Map<number, ProcessFacts>()
  for (const name of namesIn(folder)) {
    if (!/^\d+$/.test(name)) continue
    const [, program = '', state, parent] = /\((.*)\) (\S) (\d+)/s.exec(textOf(join(folder, name, 'stat'))) ?? []
    if (parent !== undefined)
      facts.set(Number(name), { parent: Number(parent), name: program, isOver: state === 'Z' || state === 'X' })
  }
  return facts
}

/**
 * Parent, name and state of all processes, by id, as `ps` lists them; none where that fails. So on systems other than
 * Linux processes are found by who started whom alone. Waits at most 5 seconds.
 */
const fromList = (): ReadonlyMap<number, ProcessFacts> => {
  const facts = new Map<number, ProcessFacts>()
  try {
    const list = execFileSync('ps', ['-Ao', 'pid=,ppid=,stat=,comm='], { encoding: 'utf8', timeout: 5_000 })
    for (const [, pid, parent, state = '', name = ''] of list.matchAll(/^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/gm))
      facts.set(Number(pid), { parent: Number(parent), name, isOver: state.startsWith('Z') })
  } catch {
    // No list, so only the group is known.
  }
  return facts
}

const isMarked = (pid: number, mark: string): boolean =>
  process.platform === 'linux' && `\0${textOf(`/proc/${pid}/environ`)}`.includes(`\0${COMMAND_VARIABLE}=${mark}\0`)

/** The names in a folder; none where it is not there. */
const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The text of a file; '' if it can't be read. Read as latin1, byte for byte. */
const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/**
 * Sends a signal to a process, or to a group if `pid` is negative; false where there is none that may be reached.
 * Signal 0 only asks whether it is there.
 */
const signalTo = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}

/** Forces a process and all below it to end, on Windows, and waits for `taskkill`. Never throws. */
const endTree = (pid: number): void => {
  try {
    execFileSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
  } catch {
    // It has ended by itself.
  }
}

/** Resolves when it holds, looked at every few milliseconds, or when `mostMs` have passed. */
export const waitUntil = async (holds: () => boolean, mostMs: number): Promise<void> => {
  const end = performance.now() + mostMs
  while (!holds() && performance.now() < end) await pause(POLL_MS)
}
