/** The loop of a conversation: a message or a command, the turn, what came of it, until somebody leaves. */
import { formatUsd } from '@cairn/core'
import { sentenceOf, type ExitCode } from '../runtime/failure.ts'
import { counted } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { wrapLine } from '../terminal/wrap.ts'
import type { AgentOutcome } from './agent-contract.ts'
import type { Chat, ChatSession } from './chat.ts'
import type { ChatInput } from './input/chat-input.ts'
import { createInterrupts, TWICE_WITHIN_MS } from './interrupts.ts'
import { messageContent } from './message-content.ts'
import { statusLine, statusSentence } from './render/status-line.ts'
import { isSlash, runSlash, type SlashCommand } from './slash/slash-command.ts'
import type { TurnView } from './turn-view.ts'

/** A turn that ended, for `--json`. */
export interface TurnOutcome {
  readonly message: string | null
  readonly outcome: AgentOutcome
}

export interface ChatLoopParts {
  readonly chat: Omit<Chat, 'leave' | 'turn'>
  readonly input: ChatInput
  readonly view: TurnView
  readonly commands: readonly SlashCommand[]
  /** Nobody watches: no prompts, no status, and the exit code tells how turns ended. */
  readonly isPiped: boolean
  /** Ctrl-C and its like, while the loop runs; returns what takes the listener away. */
  readonly onInterrupt: (listener: () => void) => () => void
  /** SIGTERM, SIGHUP: what is under way ends, and so does the conversation. */
  readonly onTerminate: (listener: () => void) => () => void
  readonly onTurn?: (turn: TurnOutcome) => void
}

/** Exit codes of turns that did not end well, where nobody watches: 3 for limits and approvals, else 1. */
const EXIT_CODES: Readonly<Record<AgentOutcome['end'], ExitCode>> = {
  done: 0,
  'max-turns': 3,
  'max-cost': 3,
  'max-tokens': 3,
  approval: 3,
  mistakes: 1,
  'repeated-call': 1,
  cancelled: 130,
  failed: 1,
}

/** Runs a conversation that begins with `first`, if there is one. Resolves to the exit code when it has ended. */
export const runChatLoop = async (parts: ChatLoopParts, first: string | undefined): Promise<ExitCode> => {
  const { input, view, commands, isPiped } = parts
  const { terminal } = parts.chat.context
  const interrupts = createInterrupts(() => parts.chat.context.now())
  let isLeaving = false
  let exitCode: ExitCode = 0
  let running: AbortController | undefined
  let leaveNow: () => void = () => undefined
  const left = new Promise<void>((resolve) => {
    leaveNow = () => {
      isLeaving = true
      running?.abort()
      resolve()
    }
  })

  const say = async (text: string): Promise<void> => {
    for (const line of wrapLine(text, terminal.width))
      if (isPiped) terminal.note(line)
      else await terminal.line(line)
  }
  const warnOfLeaving = (): void =>
    terminal.note(`Ctrl-C again within ${TWICE_WITHIN_MS / 1_000} seconds leaves, and so does /exit.`)
  const interrupt = (): void => {
    if (interrupts.press() === 'second') {
      exitCode = 130
      leaveNow()
    } else if (running === undefined) warnOfLeaving()
    else running.abort()
  }

  const tellEnd = async (outcome: AgentOutcome, session: ChatSession): Promise<void> => {
    const changed = session.lastTurn?.changed.length ?? 0
    const files =
      changed === 0 ? '' : ` ${counted(changed, 'file')} changed; /undo gives ${changed === 1 ? 'it' : 'them'} back.`
    if (outcome.end === 'cancelled') await say(`Stopped. What was done stays.${files}`)
    else if (outcome.end !== 'done')
      await say(neutraliseLine(outcome.reason ?? outcome.error?.message ?? `The turn ended: ${outcome.end}.`) + files)
  }

  const tellStatus = async (outcome: AgentOutcome, session: ChatSession): Promise<void> => {
    const sessionNano = await session.cost()
    const { context } = view
    const status = {
      mode: session.mode,
      model: session.model,
      turnNano: outcome.costNano,
      sessionNano,
      ...(context === undefined ? {} : { context }),
    }
    if (isPiped) return
    if (parts.chat.isPlain) await say(statusSentence(status))
    else await terminal.line(terminal.style('dim', statusLine(status, terminal.width)))
  }

  const chat: Chat = {
    ...parts.chat,
    leave: () => {
      isLeaving = true
    },
    turn: async (message) => {
      const controller = new AbortController()
      running = controller
      try {
        const content = message === undefined ? undefined : await messageContent(message, chat)
        for (const line of content?.told ?? []) await say(line)
        const outcome = await chat.session.run(content?.message, controller.signal)
        await view.settle()
        parts.onTurn?.({ message: message ?? null, outcome })
        if (isPiped && outcome.end !== 'done') exitCode = EXIT_CODES[outcome.end]
        await tellEnd(outcome, chat.session)
        await tellStatus(outcome, chat.session)
      } catch (error) {
        await view.settle()
        if (isPiped) exitCode = 1
        terminal.note(terminal.style('red', sentenceOf(error)))
      } finally {
        running = undefined
      }
    },
  }

  const step = async (text: string): Promise<void> => {
    if (text.trim() === '') return
    if (isSlash(text)) await runSlash(text.trim(), commands, chat)
    else await chat.turn(text)
    if (!isPiped && !parts.chat.isPlain) await terminal.line()
  }

  const converse = async (): Promise<void> => {
    if (first !== undefined) await step(first)
    while (!isLeaving && terminal.outputFailure === undefined) {
      const typed = await input.message()
      if (typed.kind === 'end') return
      if (typed.kind === 'interrupt') interrupt()
      else await step(typed.text)
    }
  }

  const removers = [parts.onInterrupt(interrupt), parts.onTerminate(leaveNow)]
  try {
    await Promise.race([converse(), left])
    return exitCode
  } finally {
    for (const remove of removers) remove()
  }
}

/** The last words: which session this was, and how to come back. */
export const farewell = (session: ChatSession, cost: bigint | null): string | undefined =>
  session.id === undefined
    ? undefined
    : `Session ${neutraliseLine(session.id)}${cost === null ? '' : `, ${formatUsd(cost)}`}. Go on with it: cairn chat --resume ${neutraliseLine(session.id)}`
