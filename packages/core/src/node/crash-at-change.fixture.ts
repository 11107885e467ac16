/** Processes that are killed before any one of their changes on disk. */
import { spawnSync } from 'node:child_process'

/** Ends a process at its nth change (`CRASH_AT`), before it is made; prints how many there were where it is not reached. */
const CRASH = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const last = Number(process.env.CRASH_AT)
  let count = 0
  for (const name of ['mkdirSync', 'rmdirSync', 'rmSync', 'unlinkSync', 'renameSync', 'linkSync', 'symlinkSync', 'openSync', 'writeSync', 'writeFileSync', 'chmodSync']) {
    const real = fs[name]
    fs[name] = (...args) => {
      const isReading = name === 'openSync' && (args[1] ?? 'r') === 'r'
      if (!isReading && ++count === last) process.kill(process.pid, 'SIGKILL')
      return real(...args)
    }
  }
  syncBuiltinESMExports()
  process.on('exit', () => process.stdout.write(String(count)))
`

/** Node's arguments for a script that is killed before the change of the number in `CRASH_AT`; without one it is not. */
export const crashArguments = (script: string): readonly string[] => [
  '--import',
  `data:text/javascript,${encodeURIComponent(CRASH)}`,
  '--input-type=module',
  '--eval',
  script,
]

/** Runs a script that is killed before its nth change; whether it was, and how many changes it made else. Throws what it throws. */
export const crashAt = (
  script: string,
  environment: NodeJS.ProcessEnv,
  change: number,
): { readonly isKilled: boolean; readonly changes: number } => {
  const { signal, stdout, stderr } = spawnSync(process.execPath, crashArguments(script), {
    env: { ...environment, CRASH_AT: String(change) },
    encoding: 'utf8',
  })
  const isKilled = signal === 'SIGKILL'
  if (!isKilled && stderr !== '') throw new Error(stderr)
  return { isKilled, changes: Number(stdout) }
}
