/** Numbers as the page shows them: short, with the exact value and what is known of its making for whoever asks. */
import { allInputTokens, cacheHitRatio, cacheWriteTokens, formatEstimate, formatUsd, isInputUnknown } from '@cairn/core'
import type { UsageTotals } from '@cairn/core'

/** A number as the pages show it, with notes. */
export interface Figure {
  readonly text: string
  /** What totals show beside it and never add to it: `~$128.00`. */
  readonly estimate?: string
  /** Sentences shown on hover and focus, the exact value first. */
  readonly notes: readonly string[]
  /** The true value is likely higher: something was unpriced, or recorded in part. */
  readonly isIncomplete: boolean
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 })
const threeDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** Returns a count in short, with at most three digits: `987`, `12.3K`, `4.57M`. */
export const compactCount = (count: number): string => compact.format(count)

/** Returns a count with all its digits: `1,234,567`. */
export const wholeCount = (count: number): string => whole.format(count)

/** Returns a count with its noun: `1 request`, `1,234 requests`. */
export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${wholeCount(count)} ${count === 1 ? singular : plural}`

/** Returns all tokens of a sum, in and out. */
const allTokens = (totals: UsageTotals): number => allInputTokens(totals) + totals.outputTokens

/** Returns the note on replies that were recorded in part; empty if there are none. */
const partialNotes = ({ partialRequests, missingOutputTokens }: UsageTotals): string[] =>
  partialRequests === 0
    ? []
    : [
        `Partial: ${counted(partialRequests, 'reply was', 'replies were')} recorded only in part; what is visible needs about ${counted(missingOutputTokens, 'output token')} more.`,
      ]

/** Returns where a cost comes from: recorded, computed, or how much of each. */
const costSource = ({ costNano, recordedCostNano }: UsageTotals): string => {
  if (recordedCostNano === 0n) return 'At API prices, by the price list.'
  if (recordedCostNano === costNano) return 'Recorded by the agents.'
  return `${formatUsd(recordedCostNano)} recorded by the agents, ${formatUsd(costNano - recordedCostNano)} at API prices by the price list.`
}

/**
 * Returns why requests have no cost; undefined if all have one. If none has one, whether that is for their input or
 * their price.
 */
const unpricedNote = (totals: UsageTotals): string | undefined => {
  const { requests, unpricedRequests } = totals
  if (unpricedRequests === 0) return undefined
  const some = requests === 1 ? 'this request' : `these ${wholeCount(requests)} requests`
  if (unpricedRequests < requests)
    return `Unpriced: ${wholeCount(unpricedRequests)} of ${wholeCount(requests)} requests are not in this sum, because their model has no known price or their input was not recorded.`
  if (isInputUnknown(totals)) return `Unpriced: the input of ${some} was not recorded, and without it there is no cost.`
  return `Unpriced: no price is known for the model of ${some}${requests === 1 ? '' : ', or their input was not recorded'}.`
}

/**
 * Returns the cost (`unpriced` if no request has one), with notes on where it comes from and what is missing. What is
 * unpriced is not in the sum, nor is the estimate of what was recorded in part.
 */
export const costFigure = (totals: UsageTotals): Figure => {
  const { requests, unpricedRequests } = totals
  const note = unpricedNote(totals)
  const unpriced = note === undefined ? [] : [note]
  if (requests > 0 && unpricedRequests === requests) {
    return {
      text: 'unpriced',
      notes: [...unpriced, ...partialNotes(totals)],
      isIncomplete: true,
    }
  }
  const estimate = formatEstimate(totals.missingOutputCostNano)
  const partial =
    totals.partialRequests === 0
      ? []
      : [
          `Partial: ${counted(totals.partialRequests, 'reply was', 'replies were')} recorded only in part, so the true cost is higher${estimate === undefined ? '' : `, by ${estimate}; that is an estimate, and no total includes it`}.`,
        ]
  return {
    text: formatUsd(totals.costNano),
    ...(estimate === undefined ? {} : { estimate }),
    notes: [...(requests === 0 ? [] : [costSource(totals)]), ...unpriced, ...partial],
    isIncomplete: unpricedRequests > 0,
  }
}

/** Returns a number of tokens in short (`4.57M`), with all its digits as a note. */
export const tokenFigure = (tokens: number): Figure => ({
  text: compactCount(tokens),
  notes: [`${counted(tokens, 'token')}, as recorded.`],
  isIncomplete: false,
})

/**
 * Returns output tokens in short, with the exact number, reasoning, and what partial replies lack as notes; incomplete
 * if there are partial replies.
 */
export const outputFigure = (totals: UsageTotals): Figure => ({
  text: compactCount(totals.outputTokens),
  notes: [
    `${counted(totals.outputTokens, 'token')}, as recorded${totals.reasoningTokens > 0 ? `; ${wholeCount(totals.reasoningTokens)} of them reasoning` : ''}.`,
    ...partialNotes(totals),
  ],
  isIncomplete: totals.partialRequests > 0,
})

/**
 * Returns input and output tokens together, in short, with both numbers as notes. Cached input is part of the input.
 */
export const allTokensFigure = (totals: UsageTotals): Figure => ({
  text: compactCount(allTokens(totals)),
  notes: [
    `${wholeCount(allInputTokens(totals))} in and ${wholeCount(totals.outputTokens)} out, as recorded.`,
    ...partialNotes(totals),
  ],
  // Output, which is the part that may lack something, carries the mark.
  isIncomplete: false,
})

/** Returns the share of all input that was read from the provider's cache, as `93.1%`; `–` without input. */
export const cacheHitFigure = (totals: UsageTotals): Figure => {
  const ratio = cacheHitRatio(totals)
  if (ratio === undefined) return { text: '–', notes: ['There was no input.'], isIncomplete: false }
  return {
    text: `${(ratio * 100).toFixed(1)}%`,
    notes: [
      `${wholeCount(totals.cacheReadTokens)} of ${wholeCount(allInputTokens(totals))} input tokens were read from the provider’s cache.`,
    ],
    isIncomplete: false,
  }
}

/**
 * Returns the average time of the requests that were timed; `–` if none was. In seconds. @param ms of all timed
 * requests together
 */
const averageFigure = (ms: number, { requests, timedRequests }: UsageTotals): Figure => {
  if (timedRequests === 0) return { text: '–', notes: ['No request was timed.'], isIncomplete: false }
  return {
    text: seconds(ms / timedRequests),
    notes: [`On average over ${counted(timedRequests, 'timed request')} of ${wholeCount(requests)}.`],
    isIncomplete: false,
  }
}

/** Returns a time (ms) in seconds: `0.42 s`, `12.3 s`, `1,230 s`. */
const seconds = (ms: number): string => `${threeDigits.format(ms / 1000)} s`

/**
 * Returns the average time from sending a request until the first token of its reply, over the requests that were
 * timed.
 */
export const firstTokenFigure = (totals: UsageTotals): Figure => averageFigure(totals.firstTokenMs, totals)

/** Returns the average time from sending a request until the end of its reply, over the requests that were timed. */
export const latencyFigure = (totals: UsageTotals): Figure => averageFigure(totals.totalMs, totals)

/** Returns the number of requests, with all its digits and no notes. */
export const requestFigure = (totals: UsageTotals): Figure => ({
  text: wholeCount(totals.requests),
  notes: [],
  isIncomplete: false,
})

/**
 * Returns what caching saved, in money, compared with the same requests without it; `–` if prices are not known.
 * Negative where writing cost more than reading saved.
 */
export const savedFigure = (totals: UsageTotals): Figure => {
  const unknown = totals.recordedCostNano > 0n || totals.unpricedRequests > 0
  const cached = totals.cacheReadTokens + cacheWriteTokens(totals)
  const isUnpriced = totals.requests > 0 && totals.unpricedRequests === totals.requests
  if (totals.savedNano === 0n && (cached > 0 || isUnpriced))
    return {
      text: '–',
      notes: ['Not known: no price list tells what these requests would have cost without caching.'],
      isIncomplete: false,
    }
  return {
    text: formatUsd(totals.savedNano),
    notes: [
      totals.savedNano < 0n
        ? 'By the price list, writing to the cache cost more than reading from it saved.'
        : 'By the price list: what the same requests would have cost without caching, less what they cost.',
      ...(unknown ? ['Only requests with a known price are in it.'] : []),
    ],
    isIncomplete: false,
  }
}
