/** This machine's processes, by their ids. */
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { LeaseOwner, Processes } from '../ports/processes.ts'
import { isRunning } from './is-running.ts'

/** The processes of this machine; of others' nothing can be told. */
export const createProcesses = (): Processes => ({
  get own() {
    return ownerOf(process.pid)
  },
  factsOf: ({ host, pid }) => (host === hostname() ? { isAlive: isRunning(pid), started: startOf(pid) } : undefined),
})

/** A process of this machine as the owner of a lease. */
export const ownerOf = (pid: number): LeaseOwner => ({ pid, host: hostname(), started: startOf(pid) })

/**
 * When a process started, in the kernel's ticks since the machine did; undefined where there is no such process, or the
 * system has no /proc.
 */
const startOf = (pid: number): string | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may hold anything.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
