/** A session's outline as its page lists it: turns with what each cost, and their subagents. */
import { allInputTokens, usdFromNano } from '@cairn/core'
import type { UsageTotals } from '@cairn/core'
import { durationText } from '@cairn/core/conversation'
import type { OutlineSubagent, OutlineTurn, SessionOutline } from '@cairn/core/insights'
import { counted } from '../text/format.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { costText, countText, tokenText } from '../usage/figures.ts'

/** A turn or a subagent. */
export interface OutlineRow {
  /** The entry where it begins; null where the log has none of it. */
  readonly seq: number | null
  /** The number of the turn. */
  readonly turn: number
  readonly isSubagent: boolean
  readonly text: string
  readonly cost: string
  /** Of the dearest turn's cost, 0 … 1. */
  readonly weight: number
  readonly tokens: string
  /** The largest context of a turn; '' for a subagent, and where no request was made. */
  readonly context: string
  /** '' where it is not known. */
  readonly took: string
  readonly errors: number
  /** All of it in words. */
  readonly about: string
}

/** The outline of a session, as the page shows it. */
export interface OutlineView {
  /** In the order of the log: each turn, and below it its subagents. */
  readonly rows: readonly OutlineRow[]
  readonly turns: number
  readonly cost: string
  readonly tokens: string
}

/** Returns cost, requests and tokens on one line. */
const figures = (totals: UsageTotals): string =>
  [
    costText(totals),
    counted(totals.requests, 'request'),
    `${countText(allInputTokens(totals))} tokens in, ${countText(totals.outputTokens)} out`,
  ].join(' · ')

/**
 * Returns the row of a turn or subagent. `dearestUsd`: the cost of the most expensive turn. `weight` is 0 to 1 of that.
 */
const rowOf = (
  part: OutlineTurn | OutlineSubagent,
  names: Pick<OutlineRow, 'turn' | 'isSubagent' | 'text' | 'context'>,
  dearestUsd: number,
): OutlineRow => {
  const { seq, totals, durationMs, toolCalls, errors } = part
  const took = durationMs === null ? '' : durationText(durationMs)
  return {
    ...names,
    seq,
    cost: costText(totals),
    weight: dearestUsd === 0 ? 0 : usdFromNano(totals.costNano) / dearestUsd,
    tokens: tokenText(totals),
    took,
    errors,
    about: [
      figures(totals),
      ...(names.context === '' ? [] : [`context of up to ${names.context} tokens`]),
      ...(took === '' ? [] : [took]),
      ...(toolCalls === 0 ? [] : [counted(toolCalls, 'tool call')]),
      ...(errors === 0 ? [] : [counted(errors, 'error')]),
    ].join(' · '),
  }
}

/** Returns a turn's prompt on one line, safe to show. */
const turnText = ({ text, number }: OutlineTurn): string =>
  text !== '' ? neutraliseLine(text) : number === 0 ? 'Before the first prompt' : 'A prompt without text'

/**
 * Returns the rows of an outline, each turn followed by its subagents, and the totals of all turns. In the order of the
 * log.
 */
export const outlineView = ({ turns, total }: SessionOutline): OutlineView => {
  const dearestUsd = turns.reduce((most, { totals }) => Math.max(most, usdFromNano(totals.costNano)), 0)
  return {
    rows: turns.flatMap((turn) => [
      rowOf(
        turn,
        {
          turn: turn.number,
          isSubagent: false,
          text: turnText(turn),
          context: turn.peakTokens === 0 ? '' : countText(turn.peakTokens),
        },
        dearestUsd,
      ),
      ...turn.subagents.map((part) =>
        rowOf(part, { turn: turn.number, isSubagent: true, text: neutraliseLine(part.name), context: '' }, dearestUsd),
      ),
    ]),
    turns: turns.length,
    cost: costText(total),
    tokens: tokenText(total),
  }
}
