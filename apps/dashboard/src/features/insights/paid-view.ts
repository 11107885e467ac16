/** What is paid as the pages show it: a line for each way in which a provider is paid. */
import { formatUsd } from '@cairn/core'
import type { PaidPart, PaidReport } from '@cairn/core/insights'
import { counted, wholeCount } from '../usage/figure.ts'

/** What requests cost at API prices, what was paid for them, and the difference; as texts. */
export interface PaidFigures {
  readonly requests: string
  /** At API prices; `+ ?` where requests have no price. */
  readonly equivalent: string
  /** `–` where a subscription is paid for more than these requests. */
  readonly paid: string
  readonly saved: string
}

/** One way in which a provider is paid, as a row of the table. */
export interface PaidLine extends PaidFigures {
  readonly provider: string
  /** The plan, or that there is none. */
  readonly by: string
  /** Its terms; '' for none. */
  readonly terms: string
  /** The first line of its provider. */
  readonly isFirst: boolean
}

/** What is paid, as the page shows it. */
export interface PaidView {
  readonly lines: readonly PaidLine[]
  readonly total: PaidFigures
  /** A part of what a subscription is paid for is shown: no amount tells what that part cost. */
  readonly isPart: boolean
}

/** Figures for people; "–" for what is not known, "+ ?" behind a price that is missing requests. */
const figuresOf = ({
  requests,
  unpricedRequests,
  equivalentNano,
  paidNano,
}: Omit<PaidReport['total'], 'savedNano'>): PaidFigures => {
  const [paid, saved] = paidNano === null ? ['–', '–'] : [formatUsd(paidNano), formatUsd(equivalentNano - paidNano)]
  const equivalent = formatUsd(equivalentNano)
  return {
    requests: wholeCount(requests),
    equivalent: unpricedRequests > 0 ? `${equivalent} + ?` : equivalent,
    paid,
    saved,
  }
}

/** What was paid by, and its terms in words: fee, days, dates, project. Pay-as-you-go has no terms. */
const planOf = (part: PaidPart): Pick<PaidLine, 'by' | 'terms'> => {
  if (part.kind === 'pay-as-you-go') return { by: 'Pay-as-you-go', terms: '' }
  const terms = [
    ...(part.kind === 'subscription' ? [`${formatUsd(part.monthlyNano)} a month`, counted(part.days, 'day')] : []),
    ...(part.since === null ? [] : [`from ${part.since}`]),
    ...(part.until === null ? [] : [`to ${part.until}`]),
    ...(part.project === null ? [] : [`of ${part.project}`]),
  ]
  return { by: part.kind === 'subscription' ? part.name : `${part.percent}% off`, terms: terms.join(', ') }
}

/**
 * The report as texts; null for none, or one without a line. `isPart` is true where a plan is also paid for other
 * requests.
 */
export const paidView = (report: PaidReport | null): PaidView | null => {
  if (report === null || report.rows.length === 0) return null
  return {
    lines: report.rows.flatMap(({ provider, parts }) =>
      parts.map((part, index) => ({ provider, isFirst: index === 0, ...planOf(part), ...figuresOf(part) })),
    ),
    total: figuresOf(report.total),
    isPart: report.total.paidNano === null,
  }
}
