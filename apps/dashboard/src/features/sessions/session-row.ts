/** A session as a row of a list: ready to be sent, its figures with their notes. */
import { formatUsd } from '@cairn/core'
import type { SessionSummary, UsageTotals } from '@cairn/core'
import { rowName } from '../usage/dimension.ts'
import { costFigure, requestFigure, wholeCount } from '../usage/figure.ts'
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
  readonly share: { readonly requests: Figure; readonly cost: Figure }
}

/** Returns what a session cost by its own sums. */
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

/** Returns the row of a session with what it used within the selection; dashes if it used nothing. */
export const sharedRow = (
  summary: SessionSummary,
  share: UsageTotals | undefined,
  names?: ProjectNames,
): SharedSessionRow => ({
  ...sessionRow(summary, names),
  share:
    share === undefined || share.requests === 0
      ? { requests: NO_SHARE, cost: NO_SHARE }
      : { requests: requestFigure(share), cost: costFigure(share) },
})
