/** Shows an agent's events in order: the model's text, a line for each tool, notices. */
import type { RequestEvent, SentRequest } from '@cairn/core'
import type { AgentEvent, CallFacts } from '@cairn/core/agent'
import { sendNotice } from '../output/request-notices.ts'
import { neutralise, neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { createWaitingLine, type WaitingLine } from '../terminal/waiting-line.ts'
import { wrapAfter, wrapLine } from '../terminal/wrap.ts'
import { diffLines } from './render/diff-lines.ts'
import { MarkdownStream } from './render/markdown-stream.ts'
import type { ContextFill } from './render/turn-status.ts'
import { toolLines } from './render/tool-line.ts'

/** Shows the events of a turn in a conversation. */
export interface TurnView {
  /** A turn begins. */
  begin(): void
  /** Shows the next event; resolves when it is written. */
  take(event: AgentEvent): Promise<void>
  /** Ends what is under way on the screen, before a question or the end of the turn. */
  settle(): Promise<void>
  /** Of the last request; undefined before the first one. */
  readonly context: ContextFill | undefined
}

/** How events are shown. */
export interface TurnViewOptions {
  readonly isPlain: boolean
  /** Nobody watches: the model's words go to standard output when they are whole, all else to standard error. */
  readonly isPiped: boolean
  /** ms */
  readonly now: () => number
}

/** The parts of a terminal that a view uses. */
type ViewTerminal = Pick<
  Terminal,
  'write' | 'line' | 'note' | 'style' | 'width' | 'isErrorTerminal' | 'errorWidth' | 'progress' | 'isOutputTerminal'
>

/** Lines of a diff that are shown for a change that needed no approval. */
const DIFF_LINES = 12
/** How often the waiting line is redrawn. */
const DRAW_MS = 250

/**
 * Creates the view of events on a terminal, or in a pipe, where only the model's text goes to standard output.
 * `isPlain` is for screen readers: nothing is redrawn, and words replace symbols.
 */
export const createTurnView = (terminal: ViewTerminal, options: TurnViewOptions): TurnView =>
  new TerminalTurnView(terminal, options)

class TerminalTurnView implements TurnView {
  readonly #terminal: ViewTerminal
  readonly #isPlain: boolean
  readonly #isPiped: boolean
  readonly #waiting: Waiting
  readonly #markdown: MarkdownStream
  /** Something stands above that the model's words are set apart from. */
  #hasAbove = true
  #isInText = false
  /** The turn's last words were shown: what comes now is what the agent keeps for later sessions. */
  #isAfterwards = false
  #context: ContextFill | undefined
  readonly #asked = new Set<string>()
  readonly #calls = new Map<string, CallFacts>()

  constructor(terminal: ViewTerminal, { isPlain, isPiped, now }: TurnViewOptions) {
    this.#terminal = terminal
    this.#isPlain = isPlain
    this.#isPiped = isPiped
    this.#waiting = new Waiting(terminal, isPlain || isPiped || !terminal.isOutputTerminal, now)
    this.#markdown = new MarkdownStream({
      width: () => terminal.width,
      paint: (style, text) => (style === 'plain' ? text : terminal.style(style === 'code' ? 'cyan' : 'bold', text)),
      isPlain,
    })
  }

  get context(): ContextFill | undefined {
    return this.#context
  }

  begin(): void {
    this.#isAfterwards = false
  }

  /** Ends what is being shown, so that lines can follow. */
  async settle(): Promise<void> {
    this.#waiting.end()
    if (!this.#isInText) return
    this.#isInText = false
    await this.#terminal.write(this.#markdown.end())
  }

  /**
   * Shows one event of the agent, to be called in the order they come: a request's waiting and reply, calls that start
   * and finish, notices, that a call was not allowed. An approval only hides the call's diff, which the question has;
   * other kinds show nothing.
   */
  async take(event: AgentEvent): Promise<void> {
    switch (event.type) {
      case 'request':
        return this.#request(event.event)
      case 'tool-started':
        return this.#started(event)
      case 'tool-finished':
        return this.#finished(event)
      case 'notice':
        return this.#notice(event.text)
      case 'reply':
        return this.#reply(event.reply)
      case 'approval':
        this.#asked.add(event.request.callId)
        return this.settle()
      case 'approved':
        if (event.answer.decision === 'deny')
          await this.#lines([this.#isPlain ? 'Not allowed.' : this.#terminal.style('dim', '  not allowed')])
        return undefined
      case 'ended':
        return this.settle()
      default:
        return undefined
    }
  }

  /** Ends what is shown of a reply or of waiting, then prints whole lines, on standard error if the output is piped. */
  async #lines(texts: readonly string[]): Promise<void> {
    await this.settle()
    for (const text of texts)
      if (this.#isPiped) this.#terminal.note(text)
      else await this.#terminal.line(text)
    this.#hasAbove ||= texts.length > 0
  }

  /** Prints a notice, yellow where there are colours. */
  #notice(text: string): Promise<void> {
    const { style, width } = this.#terminal
    const lines = wrapAfter(this.#isPlain ? 'Note: ' : '! ', neutraliseLine(text), width)
    return this.#lines(lines.map((line) => style('yellow', line)))
  }

  /**
   * Shows what comes of a request: that the model is waited for, pieces of its text, and notices of a retry or of
   * blocks that left the context. `context` has from then on how full this request is.
   */
  async #request(event: RequestEvent): Promise<void> {
    if (event.type === 'stored') {
      this.#context = { tokens: event.tokens, availableTokens: event.availableTokens }
      this.#waiting.begin(this.#isAfterwards ? 'The model notes what it learnt' : 'The model answers')
    } else if (event.type === 'text') await this.#text(event.text)
    else if (event.type === 'block') {
      await this.settle()
      this.#waiting.begin('The model answers')
    }
    const text = sendNotice(event)
    if (text !== undefined) await this.#notice(text)
  }

  /**
   * Shows a piece of the reply. Not if piped, when only the last answer is printed, nor what is said after the work.
   */
  async #text(piece: string): Promise<void> {
    if (this.#isPiped || this.#isAfterwards) return
    this.#waiting.end()
    if (!this.#isInText && this.#hasAbove) await this.#terminal.line()
    this.#isInText = true
    this.#hasAbove = true
    await this.#terminal.write(this.#markdown.push(piece))
  }

  /**
   * A whole reply: ends what is shown of it. If piped its text is printed only now, as an attempt that failed may have
   * begun to answer before; otherwise it was shown as it came. A reply made after the work's last one is never printed.
   */
  async #reply({ content, toolCalls, stopReason }: SentRequest): Promise<void> {
    await this.settle()
    const isShown = this.#isPiped && !this.#isAfterwards
    this.#isAfterwards ||= toolCalls.length === 0 && stopReason === 'end'
    if (!isShown) return
    const texts = content.flatMap((block) =>
      block.type === 'text' && block.text.trim() !== '' ? [block.text.trimEnd()] : [],
    )
    if (texts.length > 0) await this.#terminal.line(neutralise(texts.join('\n\n')))
  }

  /**
   * Shows a call that starts, with its diff unless the user was asked with it; then that it runs. Nothing of one that
   * is not run.
   */
  async #started({ callId, call, notRun }: Extract<AgentEvent, { type: 'tool-started' }>): Promise<void> {
    this.#calls.set(callId, call)
    if (notRun !== undefined) return
    const title = neutraliseLine(call.title)
    const diff = this.#asked.has(callId) ? undefined : call.diff
    const shown = { most: DIFF_LINES, isPlain: this.#isPlain }
    await this.#lines([
      ...(this.#isPlain ? wrapLine(`Tool: ${title}.`, this.#terminal.width) : []),
      ...(diff === undefined ? [] : diffLines(diff, this.#terminal, shown)),
    ])
    this.#waiting.begin(title)
  }

  /** Shows what came of a call; nothing of one that was interrupted. */
  async #finished(event: Extract<AgentEvent, { type: 'tool-finished' }>): Promise<void> {
    const title = this.#calls.get(event.callId)?.title ?? event.tool
    this.#calls.delete(event.callId)
    // A notice has named it.
    if (event.notRun === 'interrupted') return
    await this.#lines(toolLines({ ...event, title }, this.#terminal, this.#isPlain))
  }
}

/** What the turn waits for, on a line that is redrawn; nothing if it is off. */
class Waiting {
  readonly #terminal: ViewTerminal
  readonly #isOff: boolean
  readonly #now: () => number
  #line: WaitingLine | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(terminal: ViewTerminal, isOff: boolean, now: () => number) {
    this.#terminal = terminal
    this.#isOff = isOff
    this.#now = now
  }

  /**
   * Shows what is waited for, and for how long, in place of what was waited for before; nothing where no terminal is
   * watched.
   */
  begin(what: string): void {
    this.end()
    if (this.#isOff) return
    const line = createWaitingLine(this.#terminal, what, this.#now)
    this.#line = line
    this.#timer = setInterval(() => line.update(), DRAW_MS)
    this.#timer.unref()
  }

  /** Takes the line away; nothing if there is none. */
  end(): void {
    clearInterval(this.#timer)
    this.#line?.clear()
    this.#line = undefined
  }
}
