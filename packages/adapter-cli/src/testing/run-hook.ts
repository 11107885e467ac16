/** For end-to-end tests: runs the program that agents run, as they do, with their JSON on standard input. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environmentOf, resultOf, type CliResult, type Sandbox } from './run-cli.ts'

const HOOK = fileURLToPath(new URL('../../dist/hook.js', import.meta.url))

export interface HookOptions {
  /** Given as it is; an object as JSON. Undefined: standard input is closed at once. */
  readonly input?: string | object
  readonly variables?: Readonly<Record<string, string>>
  /** Standard input stays open. */
  readonly isOpen?: boolean
  /** A program with its arguments that starts the hook. */
  readonly through?: readonly string[]
}

/**
 * Runs the built hook in a sandbox, with `input` (as JSON unless a text) on standard input, which stays open with
 * `isOpen`. `through`: a program that runs it, with its arguments. Resolves when it has ended, with whatever code.
 */
export const runHook = (
  sandbox: Sandbox,
  args: readonly string[],
  { input, variables = {}, isOpen = false, through = [] }: HookOptions = {},
): Promise<CliResult> => {
  const [program = '', ...words] = [...through, process.execPath, HOOK, ...args]
  const child = spawn(program, words, {
    cwd: sandbox.folder,
    env: environmentOf(sandbox.folder, variables),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // It may end without having read all.
  child.stdin.on('error', () => undefined)
  if (input !== undefined) child.stdin.write(typeof input === 'string' ? input : JSON.stringify(input))
  if (!isOpen) child.stdin.end()
  return resultOf(child)
}

const PATIENCE_MS = 60_000
const LOOK_EVERY_MS = 50

/** Resolves when a condition holds, which is looked at again and again; rejects after a minute. */
export const until = async (what: string, condition: () => boolean | Promise<boolean>): Promise<void> => {
  const end = Date.now() + PATIENCE_MS
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`It did not come to this within a minute: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

/** Resolves when no import that a hook has started is at work any more. */
export const importsDone = (sandbox: Sandbox): Promise<void> => {
  const folder = join(sandbox.folder, 'data', 'import-queue')
  return until('the imports of hooks are done', () => !existsSync(folder) || readdirSync(folder).length === 0)
}
