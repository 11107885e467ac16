/** A session as a row of a list: ready to be sent, its figures with their notes. */
import { formatUsd, nanoFromUsd, usdFromNano } from '@cairn/core'
import type { SessionSummary, SubagentSum, UsageTotals } from '@cairn/core'
import { rowName } from '../usage/dimension.ts'
import { costFigure, counted, requestFigure, wholeCount } from '../usage/figure.ts'
import type { Figure } from '../usage/figure.ts'
import type { ProjectNames } from '../usage/project-names.ts'

/** A session as a row of the list. */
export interface SessionRow {
  readonly id: string
  readonly title: string
  /** The title is not the session's own. */
  readonly isUntitled: boolean
  readonly agent: string
  readonly project: string
  /** The project's path; null where the label is all there is. */
  readonly workspace: string | null
  readonly branch: string | null
  readonly startedAt: number | null
  readonly updatedAt: number | null
  readonly messages: number
  readonly requests: number
  readonly favourite: boolean
  /** Of its whole life, as are `messages` and `requests`. */
  readonly cost: Figure
}

/** A session with what it used within the period and filters that are shown. */
export interface SharedSessionRow extends SessionRow {
  readonly share: {
    readonly requests: Figure
    readonly cost: Figure
    readonly perRequest: Figure
    /** How many subagents, and what they cost together; a dash without any. */
    readonly subagents: Figure
  }
}

/** Returns what a request with a price costs on average, USD; null without any. */
export const costPerRequest = (
  totals: Pick<UsageTotals, 'costNano' | 'requests' | 'unpricedRequests'> | undefined,
): number | null => {
  if (totals === undefined || totals.requests <= totals.unpricedRequests) return null
  return usdFromNano(totals.costNano) / (totals.requests - totals.unpricedRequests)
}

/** Returns the mean cost of requests with a known cost; "–" if none has. */
const perRequestFigure = (totals: UsageTotals): Figure => {
  const usd = costPerRequest(totals)
  if (usd === null) return { text: '–', notes: ['No request with a known cost.'], isIncomplete: false }
  const notes = totals.unpricedRequests === 0 ? [] : ['Of the requests with a known cost.']
  return { text: formatUsd(nanoFromUsd(usd)), notes, isIncomplete: false }
}

/**
 * Returns how many subagents made requests, and what these cost, `unpriced` if that is known of none; "–" for
 * undefined.
 */
const subagentsFigure = (sum: SubagentSum | undefined): Figure => {
  if (sum === undefined) return { text: '–', notes: ['No subagent made a request.'], isIncomplete: false }
  const { subagents, requests, costNano, unpricedRequests } = sum
  return {
    text: `${wholeCount(subagents)}, ${unpricedRequests === requests ? 'unpriced' : formatUsd(costNano)}`,
    notes: [
      `${counted(requests, 'request')} of ${counted(subagents, 'subagent')}, in the cost of the session.`,
      ...(unpricedRequests === 0 ? [] : [`Unpriced: ${wholeCount(unpricedRequests)} of these are not in this sum.`]),
    ],
    isIncomplete: unpricedRequests > 0,
  }
}

/**
 * Returns what a session cost by its own sums: "–" without a request, `unpriced` if none has a cost; without those that
 * have none.
 */
const sessionCost = ({
  costNano,
  requests,
  unpricedRequests,
}: Pick<SessionSummary, 'costNano' | 'requests' | 'unpricedRequests'>): Figure => {
  if (requests === 0) return { text: '–', notes: ['No request was recorded.'], isIncomplete: false }
  if (unpricedRequests >= requests)
    return {
      text: 'unpriced',
      notes: ['Unpriced: no price is known for the models of this session, or its input was not recorded.'],
      isIncomplete: true,
    }
  if (unpricedRequests === 0) return { text: formatUsd(costNano), notes: [], isIncomplete: false }
  return {
    text: formatUsd(costNano),
    notes: [`Unpriced: ${wholeCount(unpricedRequests)} of ${wholeCount(requests)} requests are not in this sum.`],
    isIncomplete: true,
  }
}

/** Returns the row of a session, with what it used in its whole life; its agent's id stands in for a missing title. */
export const sessionRow = (summary: SessionSummary, names?: ProjectNames): SessionRow => {
  const { id, agent, externalId, workspace, branch, title, startedAt, updatedAt, messages, requests, favourite } =
    summary
  const hasTitle = title !== null && title.trim() !== ''
  return {
    id,
    title: hasTitle ? title : externalId,
    isUntitled: !hasTitle,
    agent,
    project: rowName('project', workspace ?? 'unknown', names).label,
    workspace,
    branch,
    startedAt,
    updatedAt,
    messages,
    requests,
    favourite,
    cost: sessionCost(summary),
  }
}

const NO_SHARE: Figure = {
  text: '–',
  notes: ['No request in this period that passes the filters.'],
  isIncomplete: false,
}

/**
 * Returns the row of a session with what it used within the selection; dashes if it used nothing. @param share what it
 * used @param subagents of these, what subagents used
 */
export const sharedRow = (
  summary: SessionSummary,
  share: UsageTotals | undefined,
  subagents?: SubagentSum,
  names?: ProjectNames,
): SharedSessionRow => ({
  ...sessionRow(summary, names),
  share:
    share === undefined || share.requests === 0
      ? { requests: NO_SHARE, cost: NO_SHARE, perRequest: NO_SHARE, subagents: NO_SHARE }
      : {
          requests: requestFigure(share),
          cost: costFigure(share),
          perRequest: perRequestFigure(share),
          subagents: subagentsFigure(subagents),
        },
})
