/** The line below a turn: mode, model, cost, and how full the context is. */
import { formatUsd } from '@cairn/core'
import type { AgentMode } from '@cairn/core/agent'
import type { NanoUsd } from '@cairn/core'
import { neutraliseLine } from '../../terminal/neutralise.ts'
import { shortenMiddle, textWidth } from '../../terminal/text-width.ts'

/** What the line below a turn shows. */
export interface ChatStatus {
  readonly mode: AgentMode
  readonly model: string
  /** Of the turn, and of the session with it; null: a request of it has no price. */
  readonly turnNano: NanoUsd | null
  readonly sessionNano: NanoUsd | null
  /** Tokens of the last request's messages, and the most that they may take; absent before the first request. */
  readonly context?: ContextFill
}

/** How full the context is. */
export interface ContextFill {
  readonly tokens: number
  readonly availableTokens: number
}

const SEPARATOR = ' · '
const CELLS = 8
const FEW_CELLS = 5
/** Columns from which on everything is shown. */
const WIDE = 60
const SHORTEST_MODEL = 8

/** Returns the used share of the context in percent, 0 to 100; 100 for a context without room for messages. */
export const percentFull = ({ tokens, availableTokens }: ContextFill): number =>
  availableTokens <= 0 ? 100 : Math.min(100, Math.round((tokens / availableTokens) * 100))

/**
 * Returns the used share of the context as a bar of `cells` and a number: `▰▰▱▱▱▱▱▱ 25 %`. Anything above 0 fills at
 * least one cell.
 */
export const gauge = (context: ContextFill, cells: number): string => {
  const percent = percentFull(context)
  const full = Math.min(cells, Math.ceil((percent / 100) * cells))
  return `${'▰'.repeat(full)}${'▱'.repeat(cells - full)} ${percent} %`
}

/** An amount in dollars; "no price" for null. */
const money = (nano: NanoUsd | null): string => (nano === null ? 'no price' : formatUsd(nano))

/**
 * Returns the line below a turn: mode, model, cost of the turn and, if it differs, of the session, context as a bar. On
 * fewer than `WIDE` columns the session's cost is left out and the bar is short. What does not fit is cut from the
 * middle of the model's name, down to `SHORTEST_MODEL`; what is longer still stays.
 */
export const turnStatus = (status: ChatStatus, width: number): string => {
  const { mode, turnNano, sessionNano, context } = status
  const model = neutraliseLine(status.model)
  const isWide = width >= WIDE
  const cost =
    isWide && sessionNano !== turnNano ? `${money(turnNano)}, session ${money(sessionNano)}` : money(turnNano)
  const rest = [cost, ...(context === undefined ? [] : [gauge(context, isWide ? CELLS : FEW_CELLS)])]
  const taken = textWidth([mode, '', ...rest].join(SEPARATOR))
  return [mode, shortenMiddle(model, Math.max(SHORTEST_MODEL, width - taken)), ...rest].join(SEPARATOR)
}

/** Returns the content of {@link turnStatus} in sentences for screen readers, of any length. */
export const statusSentence = ({ mode, model, turnNano, sessionNano, context }: ChatStatus): string =>
  [
    `Mode ${mode}, model ${neutraliseLine(model)}.`,
    `This turn cost ${money(turnNano)}, the session ${money(sessionNano)}.`,
    ...(context === undefined ? [] : [`The context is ${percentFull(context)} percent full.`]),
  ].join(' ')
