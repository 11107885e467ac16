/** The folder that a case of attribution happens in, and what can be done there. */
import { execFile } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { AttributedChange, FileAttribution } from '../../node/watching/file-attribution.ts'

/** A folder of its own, and an attribution of what happens in it. */
export interface World {
  readonly files: FileAttribution
  /** The path of a name. */
  at(name: string): string
  /** Writes as a person or program that tells nobody. */
  put(name: string, text: string): void
  /** The same, moments after the agent wrote the file; the case does not count where the machine was too slow for that. */
  soon(name: string, text: string): void
  /** Writes as an agent. */
  agent(name: string, text: string | null, agent?: string): Promise<void>
  /** Waits until so many changes were told. */
  told(count: number): Promise<void>
  /** Waits until nothing done so far is a formatter's or the aftermath of a command's any more. */
  later(): Promise<void>
  git(...args: readonly string[]): Promise<void>
  /** A command of the agent's that may change these names. */
  shell(names: readonly string[], script: string): Promise<void>
}

export interface AttributionCase {
  readonly name: string
  /** Verdicts in their order, of the file `a` where no other is named: `agent`, `b:person`, `agent=codex` with its author. */
  readonly expected: readonly string[]
  /** What is there when it begins; `a` unless others are named. */
  readonly before?: Readonly<Record<string, string>>
  /** With what of it committed to a repository. */
  readonly git?: boolean
  readonly run: (world: World) => Promise<void>
}

const execute = promisify(execFile)
/** Longer than anything is put down to an agent's formatter. */
const LATER_MS = 3_100
const PATIENCE_MS = 20_000

/**
 * Makes the world of a case. `pauses`: is told how long after the agent each write was that was to come soon, ms.
 * `told` waits for so many changes, or `PATIENCE_MS`, and does not say which.
 */
export const worldOf = (
  folder: string,
  files: FileAttribution,
  changes: readonly AttributedChange[],
  pauses: number[],
): World => {
  const at = (name: string): string => join(folder, name)
  return {
    files,
    at,
    put: (name, text) => writeFileSync(at(name), text),
    soon: (name, text) => {
      const { mtimeMs } = statSync(at(name))
      writeFileSync(at(name), text)
      pauses.push(statSync(at(name)).mtimeMs - mtimeMs)
    },
    agent: (name, text, agent = 'codex') => files.write(at(name), text, agent),
    told: async (count) => {
      for (const end = Date.now() + PATIENCE_MS; changes.length < count && Date.now() < end;) await wait(5)
    },
    later: () => wait(LATER_MS),
    git: async (...args) => {
      const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false']
      await execute('git', [...who, ...args], { cwd: folder })
    },
    shell: (names, script) =>
      files.during({ kind: 'shell', agent: 'codex', paths: names.map(at) }, async () => {
        await execute('sh', ['-c', script], { cwd: folder })
      }),
  }
}
