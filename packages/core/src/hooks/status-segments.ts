/** The segments of a status line: their text, and how urgent it is. Untrusted text is sanitised and shortened. */
import { plainLine, cutLine } from '../memory/section-text.ts'
import { usdFromNano } from '../money.ts'
import type { StatusInput } from './status-input.ts'

/** How a piece of text is shown. */
export type Tone = 'plain' | 'dim' | 'good' | 'warning' | 'alarm'

export interface StatusPiece {
  readonly text: string
  readonly tone: Tone
}

/** What the store and the settings add to the agent's input; nano-USD, and USD for budgets. */
export interface StatusFigures {
  readonly sessionNano?: bigint | undefined
  readonly todayNano?: bigint | undefined
  readonly monthNano?: bigint | undefined
  readonly projectNano?: bigint | undefined
  readonly budgetDay?: number | undefined
  readonly budgetMonth?: number | undefined
  /** ms */
  readonly now: number
}

type Segment = (input: StatusInput, figures: StatusFigures) => readonly StatusPiece[]

const NAME_CHARACTERS = 28
const BAR_CELLS = 8
const MINUTE_MS = 60_000
/** Before that, a rate is not meaningful. */
const SHORTEST_RATE_MS = 2 * MINUTE_MS

/** A name on one line, cut. */
const name = (text: string): string => cutLine(plainLine(text), NAME_CHARACTERS)

/** Rounds half a cent up by its decimal digits, as everywhere else: the binary value of `12.045` is slightly less. */
const toCents = (usd: number): number => Math.round(Math.round(usd * 1e9) / 1e7) / 100

/** An amount in USD: whole dollars from 999.50, otherwise with cents. */
const dollars = (usd: number): string => (usd >= 999.5 ? `$${usd.toFixed(0)}` : `$${toCents(usd).toFixed(2)}`)

/** Good below 60 percent, a warning below 85, else an alarm. */
const toneOf = (percent: number): Tone => (percent < 60 ? 'good' : percent < 85 ? 'warning' : 'alarm')

const percentText = (percent: number): string => `${Math.round(percent)}%`

/** Abbreviated tokens: `987`, `9.5k`, `120k`, `1.2M`. A whole number has no decimals. */
const tokensText = (tokens: number): string =>
  tokens >= 999_500
    ? `${Number((tokens / 1e6).toFixed(1))}M`
    : tokens >= 9_950
      ? `${Math.round(tokens / 1000)}k`
      : tokens >= 1000
        ? `${Number((tokens / 1000).toFixed(1))}k`
        : `${Math.round(tokens)}`

/** The context bar with its percentage; nothing if unknown. Coloured by how full it is. */
const context: Segment = ({ contextPercent: percent, contextWindow }) => {
  if (percent === undefined) return []
  const filled = Math.round((percent / 100) * BAR_CELLS)
  return [
    { text: 'ctx ', tone: 'dim' },
    { text: '█'.repeat(filled), tone: toneOf(percent) },
    { text: '░'.repeat(BAR_CELLS - filled), tone: 'dim' },
    { text: ` ${percentText(percent)}`, tone: toneOf(percent) },
    ...(contextWindow === undefined ? [] : [{ text: ` of ${tokensText(contextWindow)}`, tone: 'dim' } as const]),
  ]
}

/** The cost of the session according to its agent, or else to the store; undefined if neither knows. */
const sessionUsd = ({ costUsd }: StatusInput, { sessionNano }: StatusFigures): number | undefined =>
  costUsd ?? (sessionNano === undefined ? undefined : usdFromNano(sessionNano))

/** A labelled amount in dollars (from nano-USD); nothing if it is absent or 0. */
const labelled = (label: string, nano: bigint | undefined): readonly StatusPiece[] =>
  nano === undefined || nano === 0n
    ? []
    : [
        { text: `${label} `, tone: 'dim' },
        { text: dollars(usdFromNano(nano)), tone: 'plain' },
      ]

/**
 * The prompt cache: `warm`, with the minutes left (rounded up) where they are known, or `cold`, also once its time is
 * over; then its misses. Nothing if unknown.
 */
const cache: Segment = ({ cache: state }, { now }) => {
  if (state === undefined) return []
  const { isWarm, expiresAt, misses } = state
  const left = expiresAt === undefined ? undefined : Math.ceil((expiresAt - now) / MINUTE_MS)
  const warmth: StatusPiece =
    !isWarm || (left !== undefined && left <= 0)
      ? { text: 'cold', tone: 'warning' }
      : { text: left === undefined ? 'warm' : `warm ${left}m`, tone: 'good' }
  return misses === 0
    ? [warmth]
    : [warmth, { text: `, ${misses} ${misses === 1 ? 'miss' : 'misses'}`, tone: 'warning' }]
}

/** Each label with its percentage, coloured by that, with a space between two. */
const spaced = (parts: readonly (readonly [label: string, percent: number])[]): readonly StatusPiece[] =>
  parts.flatMap(([label, percent], index): readonly StatusPiece[] => [
    { text: `${index === 0 ? '' : ' '}${label} `, tone: 'dim' },
    { text: percentText(percent), tone: toneOf(percent) },
  ])

/**
 * The spent share of each budget, in percent; nothing without budgets. A budget whose spending is not known is left
 * out.
 */
const budget: Segment = (_, { budgetDay, budgetMonth, todayNano, monthNano }) =>
  spaced([
    ...(budgetDay === undefined || todayNano === undefined
      ? []
      : [['day', (100 * usdFromNano(todayNano)) / budgetDay] as const]),
    ...(budgetMonth === undefined || monthNano === undefined
      ? []
      : [['month', (100 * usdFromNano(monthNano)) / budgetMonth] as const]),
  ])

/**
 * What an hour of the session cost on average so far; nothing for a session of under two minutes, or that cost nothing.
 */
const burn: Segment = (input, figures) => {
  const usd = sessionUsd(input, figures)
  const { durationMs = 0 } = input
  return usd === undefined || usd === 0 || durationMs < SHORTEST_RATE_MS
    ? []
    : [{ text: `${dollars((usd / durationMs) * 60 * MINUTE_MS)}/h`, tone: 'plain' }]
}

/** The last part of a path on any platform; the path itself if it has none. */
const lastPart = (path: string): string => path.split(/[/\\]/).findLast((part) => part !== '') ?? path

const segments: Readonly<Record<string, Segment>> = {
  model: ({ model }) => (model === undefined ? [] : [{ text: name(model), tone: 'plain' }]),
  context,
  session: (input, figures) => {
    const usd = sessionUsd(input, figures)
    return usd === undefined ? [] : [{ text: dollars(usd), tone: 'plain' }]
  },
  today: (_, { todayNano }) => labelled('today', todayNano),
  cache,
  limits: ({ limits }) => spaced(limits.map(({ name: label, usedPercent }) => [label, usedPercent] as const)),
  budget,
  burn,
  project: (_, { projectNano }) => labelled('project', projectNano),
  folder: ({ folder }) => (folder === undefined ? [] : [{ text: name(lastPart(folder)), tone: 'dim' }]),
}

/**
 * The pieces of the named segments, each once, in order; an unknown name, or a segment without a figure, produces
 * nothing.
 */
export const statusSegments = (
  names: readonly string[],
  input: StatusInput,
  figures: StatusFigures,
): readonly (readonly StatusPiece[])[] =>
  [...new Set(names)]
    .map((each) => (Object.hasOwn(segments, each) ? (segments[each]?.(input, figures) ?? []) : []))
    .filter((pieces) => pieces.length > 0)
