/** Runs `cairn setup --json`. */
import { CairnError } from '@cairn/core'
import type { CairnCommand } from '../command/find-command.ts'
import { startCommand } from '../command/start-command.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { setupAnswer } from './setup-answer.ts'
import type { SetupAnswer } from './setup-answer.ts'

/** How long it may take, ms: it reads a few files, but the first run in a checkout builds the command. */
const LIMIT_MS = 120_000
/** Characters; the settings of all agents are far below. */
const MOST_OUTPUT = 20_000_000
const LOG_KEPT = 4_000

/** What setup would change; with `agents`, it changes them. */
export interface SetupRun {
  readonly command: CairnCommand
  readonly folder: string
  readonly variables: NodeJS.ProcessEnv
  /** The names of the agents whose files are written; undefined: nothing is. */
  readonly agents?: readonly string[]
}

/**
 * Runs it and resolves with its answer; only with `agents` are files written. Rejects with `read-failed` if it does not
 * start, takes two minutes, or says something else than an answer, with its own sentence if it has one. Names of agents
 * come from its own answer.
 */
export const runSetup = ({ command, folder, variables, agents }: SetupRun): Promise<SetupAnswer> =>
  new Promise((resolve, reject) => {
    const words = ['setup', ...(agents === undefined ? [] : [...agents, '--yes']), '--json']
    const child = startCommand(command, words, variables, folder)
    let output = ''
    let log = ''
    const fail = (sentence: string, cause?: unknown): void => {
      clearTimeout(limit)
      child.kill()
      reject(new CairnError('read-failed', sentence, { cause }))
    }
    const limit = setTimeout(() => fail('"cairn setup" did not answer within two minutes.'), LIMIT_MS)
    child.once('error', (cause) => fail(`"cairn setup" did not start: ${cause.message}.`, cause))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.length > MOST_OUTPUT) fail('"cairn setup" says more than can be shown.')
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-LOG_KEPT)
    })
    child.once('close', () => {
      clearTimeout(limit)
      try {
        if (output.trim() === '') fail(neutraliseLine(log) || '"cairn setup" ended without an answer.')
        else resolve(setupAnswer(output))
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    })
  })
