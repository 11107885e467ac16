/** Shows a turn on a terminal: the model's text as it streams, a line for each call with its diff, then the result. */
import { formatUsd } from '@cairn/core'
import type { RequestEvent } from '@cairn/core'
import type { AgentEvent, AgentOutcome } from '@cairn/core/agent'
import { diffLines } from '../chat/render/diff-lines.ts'
import { failedCommand } from '../output/failed-command.ts'
import { createReplyProgress, type ReplyProgress } from '../output/reply-progress.ts'
import type { ReplyText } from '../output/reply-text.ts'
import { sendNotice } from '../output/request-notices.ts'
import { counted, formatDuration, formatShare } from '../terminal/format.ts'
import { neutralise, neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapAfter } from '../terminal/wrap.ts'
import { createLiveMarkdown } from './live-markdown.ts'

/** Shows the events of a turn. */
export interface RunView {
  /** Shows the next event; resolves when it is written. */
  take(event: AgentEvent): Promise<void>
  /** Clears what is drawn, so that a question can be asked. */
  pause(): void
  /** Tells which model it is that answers. */
  named(model: string): void
}

/** Lines of a diff that are shown; the number of further ones is given. */
const DIFF_LINES = 60
const ERROR_CHARACTERS = 300

/**
 * Creates the view of a turn's events. The model's text goes to standard output: streamed on a terminal, otherwise only
 * the final text at the end. Everything else goes to standard error. `now` returns ms.
 */
export const createRunView = (terminal: Terminal, { now }: { readonly now: () => number }): RunView =>
  new TerminalView(terminal, now)

class TerminalView implements RunView {
  readonly #terminal: Terminal
  #model = 'The model'
  readonly #now: () => number
  #progress: ReplyProgress | undefined
  #reply: ReplyText | undefined
  /** Calls that were asked about, with their diffs. */
  readonly #asked = new Set<string>()
  /** Share of the window's messages that the last request took. */
  #filled: number | undefined
  /** The turn's last words were shown: what comes now is what the agent keeps for later sessions. */
  #isAfterwards = false

  constructor(terminal: Terminal, now: () => number) {
    this.#terminal = terminal
    this.#now = now
  }

  /**
   * Shows one event of the agent, to be called in the order they come: a request's progress and reply, calls that start
   * and finish, notices, the end of the turn. An approval only hides the call's diff, which the question has; other
   * kinds show nothing.
   */
  async take(event: AgentEvent): Promise<void> {
    switch (event.type) {
      case 'request':
        return this.#takeRequest(event.event)
      case 'reply':
        this.#isAfterwards ||= event.reply.toolCalls.length === 0 && event.reply.stopReason === 'end'
        return this.#endReply()
      case 'approval':
        await this.#endReply()
        this.#asked.add(event.request.callId)
        return undefined
      case 'tool-started':
        this.#started(event)
        return undefined
      case 'tool-finished':
        this.#finished(event)
        return undefined
      case 'notice':
        await this.#endReply()
        this.#terminal.note(neutraliseLine(event.text))
        return undefined
      case 'ended':
        await this.#endReply()
        return this.#ended(event.outcome)
      default:
        return undefined
    }
  }

  pause(): void {
    this.#progress?.clear()
  }

  named(model: string): void {
    this.#model = neutraliseLine(model)
  }

  /**
   * Shows what comes of a request: its progress, the reply as it is written, notices. Replies made after the work are
   * not shown.
   */
  async #takeRequest(event: RequestEvent): Promise<void> {
    const { isOutputTerminal } = this.#terminal
    if (event.type === 'stored') {
      const isShown = isOutputTerminal && !this.#isAfterwards
      this.#progress?.end()
      this.#filled = event.availableTokens > 0 ? event.tokens / event.availableTokens : undefined
      this.#progress = createReplyProgress(this.#terminal, {
        model: this.#model,
        isLive: isShown,
        now: this.#now,
      })
      this.#reply = isShown ? createLiveMarkdown(this.#terminal) : undefined
    }
    this.#progress?.take(event)
    await this.#reply?.take(event)
    const notice = sendNotice(event)
    if (notice === undefined) return
    this.#progress?.clear()
    this.#terminal.note(notice)
  }

  /** Ends the progress and the text of a reply; nothing if none is shown. */
  async #endReply(): Promise<void> {
    this.#progress?.end()
    this.#progress = undefined
    const reply = this.#reply
    this.#reply = undefined
    await reply?.end([])
  }

  /**
   * Shows a call that starts, with its diff unless the user was asked with it. A call that was interrupted shows
   * nothing.
   */
  #started({ callId, call: { title, diff }, notRun }: Extract<AgentEvent, { type: 'tool-started' }>): void {
    // A notice has named it.
    if (notRun === 'interrupted') return
    const terminal = this.#terminal
    const [first = '', ...more] = wrapAfter('  ', neutraliseLine(title), errorColumns(terminal))
    for (const line of [`${terminal.style('cyan', '▸')} ${first.trimStart()}`, ...more]) terminal.note(line)
    if (diff !== undefined && notRun === undefined && !this.#asked.has(callId))
      for (const line of noteDiff(terminal, diff)) terminal.note(line)
  }

  /**
   * Shows a call's error, or what is worth telling of it: a failed command, its time from a second on, rules files
   * delivered with it; otherwise nothing. An error is shown in one line, cut. Nothing for a call that was interrupted.
   */
  #finished({ outcome, durationMs, notRun, rules = [] }: Extract<AgentEvent, { type: 'tool-finished' }>): void {
    if (notRun === 'interrupted') return
    const terminal = this.#terminal
    const [first] = outcome.content
    if (outcome.isError === true) {
      const text = first?.type === 'text' ? neutraliseLine(first.text).slice(0, ERROR_CHARACTERS) : 'It failed.'
      terminal.note(`  ${terminal.style('red', '✗')} ${text.toWellFormed()}`)
      return
    }
    const facts = [
      failedCommand(outcome),
      durationMs >= 1000 ? formatDuration(durationMs) : undefined,
      rules.length === 0 ? undefined : `rules of ${rules.map(neutraliseLine).join(', ')}`,
    ]
    const told = facts.filter((fact) => fact !== undefined).join(', ')
    if (told !== '') terminal.note(`  ${terminal.style('dim', told)}`)
  }

  /**
   * Ends the turn: prints the answer of a turn that is done if standard output is no terminal, where it was not shown;
   * then, on standard error, model, requests, cost, how full the context is, and why it ended, if that is given.
   */
  async #ended({ end, reason, text, turns, costNano }: AgentOutcome): Promise<void> {
    const terminal = this.#terminal
    if (!terminal.isOutputTerminal && end === 'done' && text !== '') await terminal.line(neutralise(text))
    const cost = costNano === null ? 'unpriced' : formatUsd(costNano)
    const context = this.#filled === undefined ? '' : `, context ${formatShare(this.#filled)} full`
    terminal.note(`${this.#model}: ${counted(turns, 'request')}, ${cost}${context}.`)
    if (reason !== undefined) terminal.note(neutraliseLine(reason))
  }
}

/** The columns of standard error; infinite in a pipe, where nothing is wrapped or cut. */
const errorColumns = ({ isErrorTerminal, errorWidth }: Pick<Terminal, 'isErrorTerminal' | 'errorWidth'>): number =>
  isErrorTerminal ? errorWidth : Infinity

/** Returns the lines of a diff for standard error, at most 60 and then the number of further ones. */
export const noteDiff = (
  terminal: Pick<Terminal, 'style' | 'isErrorTerminal' | 'errorWidth'>,
  diff: string,
): readonly string[] =>
  diffLines(diff, { style: terminal.style, width: errorColumns(terminal) }, { most: DIFF_LINES, isPlain: false })
