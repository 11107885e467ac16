/** Shows what an agent does, in the order in which it comes: its words, a line for each tool, notices, and the status. */
import type { ContentBlock, RequestEvent } from '@cairn/core'
import { sendNotice } from '../output/request-notices.ts'
import { neutralise, neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { createWaitingLine, type WaitingLine } from '../terminal/waiting-line.ts'
import { wrapAfter } from '../terminal/wrap.ts'
import type { AgentEvent, PreparedCall } from './agent-contract.ts'
import { diffLines } from './render/diff-lines.ts'
import { createMarkdownStream } from './render/markdown-stream.ts'
import type { ContextFill } from './render/status-line.ts'
import { toolLine } from './render/tool-line.ts'

export interface TurnView {
  /** Shows the next event; resolves when it is written. */
  take(event: AgentEvent): Promise<void>
  /** Ends what is under way on the screen, before a question or the end of the turn. */
  settle(): Promise<void>
  /** Of the last request; undefined before the first one. */
  readonly context: ContextFill | undefined
}

export interface TurnViewOptions {
  readonly isPlain: boolean
  /** Nobody watches: the model's words go to standard output when they are whole, all else to standard error. */
  readonly isPiped: boolean
  readonly now: () => number
}

type ViewTerminal = Pick<
  Terminal,
  'write' | 'line' | 'note' | 'style' | 'width' | 'isErrorTerminal' | 'errorWidth' | 'progress' | 'isOutputTerminal'
>

/** Lines of a diff that are shown of a change that nobody was asked about. */
const DIFF_LINES = 12
const DRAW_MS = 250

/** Shows events on a terminal, or in a pipe; `isPlain` for screen readers: nothing is drawn over, and words stand for signs. */
export const createTurnView = (terminal: ViewTerminal, { isPlain, isPiped, now }: TurnViewOptions): TurnView => {
  const markdown = createMarkdownStream({
    width: () => terminal.width,
    paint: (style, text) => (style === 'plain' ? text : terminal.style(style === 'code' ? 'cyan' : 'bold', text)),
    isPlain,
  })
  const waiting = createWaiting(terminal, isPlain, now)
  /** Something was written since the last empty line. */
  let hasAbove = false
  let isInText = false
  let context: ContextFill | undefined
  const asked = new Set<string>()
  const calls = new Map<string, PreparedCall>()

  const settle = async (): Promise<void> => {
    waiting.end()
    if (!isInText) return
    isInText = false
    await terminal.write(markdown.end())
  }
  const lines = async (texts: readonly string[]): Promise<void> => {
    await settle()
    for (const text of texts)
      if (isPiped) terminal.note(text)
      else await terminal.line(text)
    hasAbove ||= texts.length > 0
  }
  const notice = (text: string): Promise<void> =>
    lines(
      wrapAfter(isPlain ? 'Note: ' : '! ', neutraliseLine(text), terminal.width).map((line) =>
        terminal.style('yellow', line),
      ),
    )

  const requestEvent = async (event: RequestEvent): Promise<void> => {
    if (event.type === 'stored') {
      context = { tokens: event.tokens, availableTokens: event.availableTokens }
      waiting.begin('The model answers')
    }
    if (event.type === 'text' && !isPiped) {
      waiting.end()
      if (!isInText && hasAbove) await terminal.line()
      isInText = true
      hasAbove = true
      await terminal.write(markdown.push(event.text))
    } else if (event.type === 'block') {
      await settle()
      waiting.begin('The model answers')
    }
    const text = sendNotice(event)
    if (text !== undefined) await notice(text)
  }

  const started = async (callId: string, call: PreparedCall): Promise<void> => {
    calls.set(callId, call)
    const title = neutraliseLine(call.title)
    const isShown = call.diff !== undefined && !asked.has(callId)
    await lines([
      ...(isPlain ? [`Tool: ${title}.`] : []),
      ...(isShown && call.diff !== undefined ? diffLines(call.diff, terminal, { most: DIFF_LINES, isPlain }) : []),
    ])
    waiting.begin(title)
  }

  const pipedReply = async (content: readonly ContentBlock[]): Promise<void> => {
    const texts = content.flatMap((block) =>
      block.type === 'text' && block.text.trim() !== '' ? [block.text.trimEnd()] : [],
    )
    if (texts.length > 0) await terminal.line(neutralise(texts.join('\n\n')))
  }

  return {
    settle,
    get context() {
      return context
    },
    take: async (event) => {
      switch (event.type) {
        case 'request':
          return requestEvent(event.event)
        case 'approval':
          asked.add(event.request.callId)
          return settle()
        case 'approved':
          return event.answer.decision === 'deny'
            ? lines([isPlain ? 'Not allowed.' : terminal.style('dim', '  not allowed')])
            : undefined
        case 'tool-started':
          return started(event.callId, event.call)
        case 'tool-finished': {
          const title = calls.get(event.callId)?.title ?? event.tool
          calls.delete(event.callId)
          return lines([toolLine({ title, ...event }, terminal, isPlain)])
        }
        case 'notice':
          return notice(event.text)
        case 'reply':
          return isPiped ? pipedReply(event.reply.content) : settle()
        case 'ended':
          return settle()
        case 'session':
        case 'tool-output':
          return undefined
      }
    },
  }
}

/** What is waited for, on a line that is drawn over; nothing where the terminal is read out, or is none. */
const createWaiting = (terminal: ViewTerminal, isPlain: boolean, now: () => number) => {
  let line: WaitingLine | undefined
  let timer: NodeJS.Timeout | undefined
  const end = (): void => {
    clearInterval(timer)
    line?.clear()
    line = undefined
  }
  return {
    begin: (what: string): void => {
      end()
      if (isPlain || !terminal.isOutputTerminal) return
      const drawn = createWaitingLine(terminal, what, now)
      line = drawn
      timer = setInterval(() => drawn.update(), DRAW_MS)
      timer.unref()
    },
    end,
  }
}
