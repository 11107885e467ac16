/** An agent that does what a test says, and a conversation around it that writes into a list. */
import { createIncognitoEngine } from '@cairn/core/ephemeral'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import { CairnError } from '@cairn/core'
import type { Engine } from '@cairn/core'
import type { Context } from '../command.ts'
import { loadSettings } from '../config/settings.ts'
import { SILENT_TERMINAL } from '../testing/silent-terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapSentences } from '../terminal/wrap.ts'
import type { AgentEvent, AgentOutcome, PreparedCall } from '@cairn/core/agent'
import type { AgentSetting, MakeAgent } from './chat.ts'
import type { ChatInput, Typed } from './input/chat-input.ts'

/** What the agent does in a turn: events, and how it ends. */
export interface ScriptedTurn {
  readonly events?: readonly AgentEvent[]
  /** Asks about this call. */
  readonly asks?: PreparedCall
  readonly outcome?: Partial<AgentOutcome>
  /** Runs until it is stopped. */
  readonly isEndless?: boolean
}

export interface MadeTurn {
  readonly setting: AgentSetting
  readonly message: unknown
}

export const preparedCall = (more: Partial<PreparedCall> = {}): PreparedCall => ({
  effect: 'none',
  title: 'read src/a.ts',
  paths: ['src/a.ts'],
  run: async () => ({ content: [] }),
  ...more,
})

const sessionOf = ({ session }: AgentSetting): string | undefined => (session === true ? undefined : session)

/** Makes agents that go through the turns of one script, whichever of them is asked. */
export const scriptedAgents = (
  turns: readonly ScriptedTurn[],
  onTurn: (turn: number) => void = () => undefined,
): { readonly makeAgent: MakeAgent; readonly made: readonly MadeTurn[] } => {
  const made: MadeTurn[] = []
  const run = async (
    setting: AgentSetting,
    message: unknown,
    signal: AbortSignal | undefined,
  ): Promise<AgentOutcome> => {
    const turn = turns[made.length] ?? {}
    made.push({ setting, message })
    const sessionId = sessionOf(setting) ?? `cairn:scripted-${made.length}`
    if (setting.session === undefined) await setting.onEvent({ type: 'session', sessionId, isResumed: false })
    for (const event of turn.events ?? []) await setting.onEvent(event)
    onTurn(made.length)
    const done: AgentOutcome = { end: 'done', sessionId, text: '', turns: 1, costNano: 12_300_000n }
    if (turn.isEndless === true) {
      if (signal?.aborted !== true)
        await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
      return { ...done, end: 'cancelled' }
    }
    if (turn.asks === undefined) return { ...done, ...turn.outcome }
    const request = { callId: 'asked', tool: 'edit_file', call: turn.asks, why: 'It changes a file.' }
    if (setting.approve === undefined)
      return { ...done, end: 'approval', reason: `${turn.asks.title} needs an approval, and nobody can be asked.` }
    await setting.onEvent({ type: 'approval', request })
    const answer = await setting.approve(request, signal ?? new AbortController().signal)
    await setting.onEvent({ type: 'approved', callId: 'asked', answer })
    return { ...done, ...turn.outcome }
  }
  return {
    made,
    makeAgent: async (setting) => {
      const { choice, mode = 'act' } = setting
      const sessionId = sessionOf(setting)
      if (choice?.model === 'none') throw new CairnError('usage', "There is no model 'none' in the price list.")
      return {
        mode,
        model: choice?.model ?? 'claude-sonnet-5',
        agent: {
          sessionId,
          run: (message, options) => run(setting, message, options?.signal),
          resume: (options) => run(setting, undefined, options?.signal),
        },
      }
    },
  }
}

/** An engine over an empty store in memory. */
export const emptyEngine = (): Engine => {
  const clock = createSystemClock()
  return createIncognitoEngine({ fileSystem: createFileSystem(), hasher: createHasher(), clock, ids: createIds(clock) })
}

/** A terminal of so many columns that keeps what is written. */
export const heardTerminal = (width = 80): { readonly terminal: Terminal; readonly text: () => string } => {
  let written = ''
  return {
    text: () => written,
    terminal: {
      ...SILENT_TERMINAL,
      width,
      write: async (text) => void (written += text),
      line: async (text = '') => void (written += `${text}\n`),
      note: (text) => void (written += `${wrapSentences(text, width)}\n`),
    },
  }
}

/** What commands run in, over an engine that is there already. */
export const contextOver = (engine: Engine, terminal: Terminal, folder: string): Context => {
  const surroundings = { variables: {}, platform: process.platform, home: folder, folder }
  const missing = async (): Promise<never> => {
    throw new Error('no command of a conversation asks for this')
  }
  return {
    terminal,
    surroundings,
    now: () => Date.now(),
    settings: (options) => loadSettings(surroundings, options, folder),
    engine: async () => engine,
    readEngine: async () => engine,
    sessionEngine: async () => engine,
    watchedEngine: missing,
    workspace: async () => folder,
    json: missing,
    setExitCode: () => undefined,
  }
}

/** Types these lines one after the other, and answers questions. */
export const typedInput = (
  typed: readonly (string | Typed)[],
  answers: readonly string[] = [],
): ChatInput & { readonly questions: readonly string[] } => {
  const left = [...typed]
  const open = [...answers]
  const questions: string[] = []
  return {
    questions,
    message: async () => {
      const next = left.shift()
      if (next === undefined) return { kind: 'end' }
      return typeof next === 'string' ? { kind: 'message', text: next } : next
    },
    ask: async (question) => {
      questions.push(question)
      return open.shift()
    },
    close: () => undefined,
  }
}
