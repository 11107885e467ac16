/**
 * The process around a hook: its arguments, standard input and time limit. It always exits with 0 and prints nothing or
 * a complete answer, because an agent treats a failing hook as a refusal and a slow one as a hang.
 */
import { HOOK_AGENTS, HOOK_EVENTS, MARKED_AGENTS, type HookAgent, type HookEvent } from '@cairn/core/hooks'
import type { Surroundings } from '@cairn/core/node'
import type { HookAnswer } from './answer-hook.ts'
import { readStandardInput } from './read-input.ts'

/** How long a hook may run. */
export const TIME_LIMIT_MS = 2_000

/** What a hook's arguments ask for. */
type HookCall =
  | {
      readonly kind: 'event'
      readonly event: HookEvent
      readonly agent: HookAgent
      readonly store: string | undefined
      /** Told on the command line. */
      readonly isIncognito: boolean
    }
  | {
      readonly kind: 'statusline'
      readonly agent: HookAgent
      readonly store: string | undefined
      readonly colours: boolean
    }
  | {
      readonly kind: 'incognito'
      readonly agent: string
      readonly session: string | undefined
      readonly json: boolean
    }

/** The value of `--name value` or `--name=value`; undefined if the option is not given. */
const optionOf = (argv: readonly string[], name: string): string | undefined => {
  const index = argv.findIndex((argument) => argument === name || argument.startsWith(`${name}=`))
  if (index === -1) return undefined
  const argument = argv[index] ?? ''
  return argument === name ? argv[index + 1] : argument.slice(name.length + 1)
}

/** Returns the call, or a sentence about what is wrong with the arguments. Without `--agent` it is Claude Code's. */
const parseHookCall = (argv: readonly string[]): HookCall | string => {
  const [name = ''] = argv
  const given = optionOf(argv, '--agent') ?? 'claude-code'
  if (name === 'incognito')
    return MARKED_AGENTS.includes(given)
      ? { kind: 'incognito', agent: given, session: optionOf(argv, '--session'), json: argv.includes('--json') }
      : `There is no agent '${given}'; there are ${MARKED_AGENTS.join(', ')}.`
  const agent = HOOK_AGENTS.find((known) => known === given)
  if (agent === undefined) return `There are no hooks for an agent '${given}'; there are ${HOOK_AGENTS.join(', ')}.`
  const store = optionOf(argv, '--store')
  if (name === 'statusline') return { kind: 'statusline', agent, store, colours: !argv.includes('--no-color') }
  const event = HOOK_EVENTS.find((known) => known === name)
  return event === undefined
    ? `There is no hook '${name}'; there are ${HOOK_EVENTS.join(', ')}. See: cairn hook --help`
    : { kind: 'event', event, agent, store, isIncognito: argv.includes('--incognito') }
}

/** Logs an error; the log and its rules for secrets are loaded only now. */
const log = async (surroundings: Surroundings, hook: string, message: string): Promise<void> =>
  (await import('./hook-log.ts')).logTrouble(surroundings, { hook, message })

/**
 * Returns the output of a call, and what to do once it is written. Rejects as the call does. It may wait for standard
 * input.
 */
const answer = async (call: HookCall, surroundings: Surroundings): Promise<HookAnswer> => {
  switch (call.kind) {
    case 'event': {
      const [{ answerHook }, input] = [await import('./answer-hook.ts'), await readStandardInput()]
      return answerHook(call, input, surroundings)
    }
    case 'statusline': {
      const [{ statusLine }, input] = [await import('../statusline/status-line.ts'), await readStandardInput()]
      return { output: await statusLine(call, input, surroundings), onDelivered: undefined }
    }
    case 'incognito':
      return {
        output: await (await import('./mark-incognito.ts')).markBySession(call, surroundings),
        onDelivered: undefined,
      }
  }
}

/** Whether standard error is a terminal; loaded only in case of errors. */
const isTerminal = async (): Promise<boolean> => (await import('node:tty')).isatty(2)

/** The process that a hook runs in. */
export interface HookProcess {
  readonly surroundings: Surroundings
  readonly write: (text: string) => Promise<void>
  /** Tells a person what is wrong. */
  readonly note: (text: string) => void
}

/** Logs that the hook with these arguments exceeded its time limit. Never rejects. */
export const logTimeLimit = ([name = '']: readonly string[], surroundings: Surroundings): Promise<void> =>
  log(surroundings, name, `not done after ${TIME_LIMIT_MS / 1000} s`).catch(() => undefined)

/**
 * Does what the arguments ask for: an agent's hook, its status line, or a person's `incognito`. An error of `incognito`
 * is shown, and not logged; any other goes into the hooks' log, and is shown only on a terminal. Never rejects.
 * @returns the exit code: 0, or 1 if a person's `incognito` failed
 */
export const runHookProgram = async (
  argv: readonly string[],
  { surroundings, write, note }: HookProcess,
): Promise<0 | 1> => {
  const [name = ''] = argv
  const call = parseHookCall(argv)
  const isPersons = name === 'incognito'
  try {
    if (typeof call === 'string') throw new Error(call)
    const { output, onDelivered } = await answer(call, surroundings)
    if (output === '') return 0
    await write(output)
    onDelivered?.()
    return 0
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (isPersons || (await isTerminal())) note(message)
    if (isPersons) return 1
    await log(surroundings, name, message).catch(() => undefined)
    return 0
  }
}
