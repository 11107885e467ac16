/** The loop of a conversation: a message or a command, the turn, its result, until the user leaves. */
import type { AgentOutcome } from '@cairn/core/agent'
import { exitCodeOf, sentenceOf, type ExitCode } from '../runtime/failure.ts'
import { counted } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapLine } from '../terminal/wrap.ts'
import type { Chat, ChatParts } from './chat.ts'
import type { ChatInput } from './input/chat-input.ts'
import { createInterrupts, TWICE_WITHIN_MS } from './interrupts.ts'
import { messageContent } from './message-content.ts'
import { statusSentence, turnStatus } from './render/turn-status.ts'
import { isSlash, runSlash, type SlashCommand } from './slash/slash-command.ts'
import type { TurnView } from './turn-view.ts'

/** A turn that ended, for `--json`. */
export interface TurnOutcome {
  /** Null: it went on with what was interrupted. */
  readonly message: string | null
  readonly outcome: AgentOutcome
}

/** What a conversation consists of. */
export interface ChatLoopParts {
  readonly chat: ChatParts
  readonly input: ChatInput
  readonly view: TurnView
  readonly commands: readonly SlashCommand[]
  /** Nobody watches: no prompts, no status, and the exit code tells how turns ended. */
  readonly isPiped: boolean
  /** Called after each turn that had an outcome; a turn that threw has none. */
  readonly onTurn?: (turn: TurnOutcome) => Promise<void>
}

/** A conversation. */
export interface ChatLoop {
  /** Runs the conversation, which begins with `first` if there is one. Resolves to the exit code when it has ended. */
  run(first: string | undefined): Promise<ExitCode>
  /** Ctrl-C: the first one ends the turn, a second one soon after it the conversation. */
  interrupt(): void
  /** What is under way ends, and so does the conversation. */
  terminate(): void
}

/** Exit codes by how a turn ended, if nobody watches; 3 for limits and approvals. */
const EXIT_CODES: Readonly<Record<AgentOutcome['end'], ExitCode>> = {
  done: 0,
  'max-turns': 3,
  'max-cost': 3,
  'max-tokens': 3,
  approval: 3,
  mistakes: 3,
  'repeated-call': 3,
  cancelled: 130,
  failed: 1,
}

/**
 * Creates a conversation that has not started. `run` may be called once; `interrupt` and `terminate` may be called at
 * any time, from signal handlers.
 */
export const createChatLoop = (parts: ChatLoopParts): ChatLoop => new Conversation(parts)

class Conversation implements ChatLoop {
  readonly #parts: ChatLoopParts
  readonly #chat: Chat
  readonly #interrupts: ReturnType<typeof createInterrupts>
  readonly #left = Promise.withResolvers<undefined>()
  #isLeaving = false
  #exitCode: ExitCode = 0
  /** Of the turn that is under way. */
  #running: AbortController | undefined

  constructor(parts: ChatLoopParts) {
    this.#parts = parts
    this.#interrupts = createInterrupts(() => parts.chat.context.now())
    this.#chat = {
      ...parts.chat,
      leave: () => {
        this.#isLeaving = true
      },
      turn: (message) => this.#turn(message),
    }
  }

  /**
   * Converses until the end of the input, `/exit` or `terminate`. Resolves with 0, with 130 after a second Ctrl-C, or
   * if piped with the code of the last turn that was not done.
   */
  async run(first: string | undefined): Promise<ExitCode> {
    await Promise.race([this.#converse(first), this.#left.promise])
    return this.#exitCode
  }

  /**
   * Ctrl-C: ends the turn under way, or tells how to leave; the second within `TWICE_WITHIN_MS` leaves with exit code
   * 130.
   */
  interrupt(): void {
    if (this.#interrupts.press() === 'second') {
      this.#exitCode = 130
      this.terminate()
    } else if (this.#running === undefined)
      this.#terminal.note(`Ctrl-C again within ${TWICE_WITHIN_MS / 1_000} seconds leaves, and so does /exit.`)
    else this.#running.abort()
  }

  /** Leaves, ending the turn under way. */
  terminate(): void {
    this.#isLeaving = true
    this.#running?.abort()
    this.#left.resolve(undefined)
  }

  get #terminal(): Terminal {
    return this.#parts.chat.context.terminal
  }

  /**
   * Reads and answers messages until the input ends, the user leaves, or nothing can be printed any more. Begins with
   * `first`, if there is one.
   */
  async #converse(first: string | undefined): Promise<void> {
    if (first !== undefined) await this.#step(first)
    while (!this.#isLeaving && this.#terminal.outputFailure === undefined) {
      const typed = await this.#parts.input.message()
      if (typed.kind === 'end') return
      if (typed.kind === 'interrupt') this.interrupt()
      else await this.#step(typed.text)
    }
  }

  /** Runs a slash command or a turn; a blank message is ignored. */
  async #step(text: string): Promise<void> {
    if (text.trim() === '') return
    this.#interrupts.reset()
    if (isSlash(text)) await runSlash(text.trim(), this.#parts.commands, this.#chat)
    else await this.#turn(text)
    if (!this.#parts.isPiped && !this.#chat.isPlain) await this.#terminal.line()
  }

  /**
   * Runs a turn; undefined continues the last one. Then tells why it ended if it is not done, and unless piped the
   * status line. Never rejects: a failure is shown. If piped, a failure or an end other than `done` sets the exit code.
   */
  async #turn(message: string | undefined): Promise<void> {
    const { view, isPiped, onTurn } = this.#parts
    const { session } = this.#chat
    const controller = new AbortController()
    this.#running = controller
    view.begin()
    try {
      const content = message === undefined ? undefined : await messageContent(message, this.#chat)
      for (const line of content?.told ?? []) await this.#say(line)
      const outcome = await session.run(content?.message, controller.signal)
      await view.settle()
      await onTurn?.({ message: message ?? null, outcome })
      if (isPiped && outcome.end !== 'done') this.#exitCode = EXIT_CODES[outcome.end]
      await this.#tellEnd(outcome)
      if (!isPiped) await this.#tellStatus(outcome)
    } catch (error) {
      await view.settle()
      if (isPiped) this.#exitCode = exitCodeOf(error)
      this.#terminal.note(this.#terminal.style('red', sentenceOf(error)))
    } finally {
      this.#running = undefined
    }
  }

  /** Says a text, wrapped; on standard error if the output is piped. */
  async #say(text: string): Promise<void> {
    for (const line of wrapLine(text, this.#terminal.width))
      if (this.#parts.isPiped) this.#terminal.note(line)
      else await this.#terminal.line(line)
  }

  /**
   * Prints why a turn ended that was not done, and how many files it changed, if any; nothing at all for one that was
   * done. The last turn of the chat's session must be this one.
   */
  async #tellEnd({ end, reason, error }: AgentOutcome): Promise<void> {
    if (end === 'done') return
    const changed = this.#chat.session.lastTurn?.changed.length ?? 0
    const files = changed === 0 ? '' : ` ${counted(changed, 'file')} changed; /undo gives back what was there before.`
    const why =
      end === 'cancelled' ? 'Stopped. What was done stays.' : (reason ?? error?.message ?? `It ended: ${end}.`)
    await this.#say(`${neutraliseLine(why)}${files}`)
  }

  /** Prints mode, model, context, and the cost of the turn and the session, on one line or, if plain, in sentences. */
  async #tellStatus({ costNano }: AgentOutcome): Promise<void> {
    const { session, isPlain } = this.#chat
    const { context } = this.#parts.view
    const status = {
      mode: session.mode,
      model: session.model,
      turnNano: costNano,
      sessionNano: await session.cost(),
      ...(context === undefined ? {} : { context }),
    }
    if (isPlain) await this.#say(statusSentence(status))
    else await this.#terminal.line(this.#terminal.style('dim', turnStatus(status, this.#terminal.width)))
  }
}
