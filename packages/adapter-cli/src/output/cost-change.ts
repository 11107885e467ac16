/** How cost changed compared with the preceding period, for `cairn insights`. */
import { formatUsd, usdFromNano } from '@cairn/core'
import { CHANGE_DIMENSIONS } from '@cairn/core/insights'
import type { ActiveDays, ChangeDimension, CostChange, Mover, Movers, TimeSpan } from '@cairn/core/insights'
import { counted, formatMinute } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** Returns a mover for `--json`, costs in USD. */
const moverJson = ({ key, beforeNano, nowNano, changeNano }: Mover) => ({
  key,
  beforeUsd: usdFromNano(beforeNano),
  nowUsd: usdFromNano(nowNano),
  changeUsd: usdFromNano(changeNano),
})

/** Returns the movers of a dimension for `--json`, the others as a sum. */
const moversJson = ({ movers, others }: Movers) => ({
  movers: movers.map(moverJson),
  others: { count: others.count, changeUsd: usdFromNano(others.changeNano) },
})

/**
 * Returns the change of costs for `--json`: `{since, until, beforeUsd, nowUsd, changeUsd, by}`. `span`, printed as `since`
 * and `until`, is the period before.
 */
export const changeJson = ({ now, before, changeNano, by }: CostChange, span: TimeSpan): Record<string, unknown> => ({
  ...span,
  beforeUsd: usdFromNano(before.costNano),
  nowUsd: usdFromNano(now.costNano),
  changeUsd: usdFromNano(changeNano),
  by: { workspace: moversJson(by.workspace), model: moversJson(by.model), session: moversJson(by.session) },
})

/** Returns active days for `--json`, costs in USD. */
export const activeDaysJson = ({ days, costNano, meanNano, medianNano }: ActiveDays): Record<string, number> => ({
  days,
  costUsd: usdFromNano(costNano),
  meanUsd: usdFromNano(meanNano),
  medianUsd: usdFromNano(medianNano),
})

/** Returns the cost of a day with requests as a sentence; undefined if there was no such day. */
export const activeDaysSentence = ({ days, meanNano, medianNano }: ActiveDays): string | undefined =>
  days === 0
    ? undefined
    : `${counted(days, 'active day')}: ${formatUsd(meanNano)} a day${days === 1 ? '' : `, median ${formatUsd(medianNano)}`}.`

/** An amount with its sign. */
const signed = (nano: bigint): string => (nano < 0n ? `−${formatUsd(-nano)}` : `+${formatUsd(nano)}`)

const NAMES: Readonly<Record<ChangeDimension, string>> = { workspace: 'project', model: 'model', session: 'session' }

/**
 * Returns the change and its causes, one line per dimension; a sentence alone if there was no request before, empty if
 * neither period cost anything. `idOf` returns the
 * id to show for a session.
 */
export const changeSentences = (
  { now, before, changeNano, by }: CostChange,
  span: TimeSpan,
  idOf: (sessionId: string) => string,
): readonly string[] => {
  if (now.costNano === 0n && before.costNano === 0n) return []
  const beginning = `Against the time before (from ${formatMinute(span.since)}):`
  if (before.requests === 0) return [`${beginning} nothing to compare with, as there was no request.`]
  const name = (dimension: ChangeDimension, key: string): string =>
    neutraliseLine(dimension === 'session' ? idOf(key) : dimension === 'workspace' ? lastPart(key) : key)
  return [
    `${beginning} ${signed(changeNano)}, from ${formatUsd(before.costNano)} to ${formatUsd(now.costNano)}.`,
    ...CHANGE_DIMENSIONS.flatMap((dimension) => {
      const { movers, others } = by[dimension]
      if (movers.length === 0) return []
      const parts = movers.map(({ key, changeNano: moved }) => `${name(dimension, key)} ${signed(moved)}`)
      const rest = others.count === 0 ? [] : [`${counted(others.count, 'other')} ${signed(others.changeNano)}`]
      return [`  by ${NAMES[dimension]}: ${[...parts, ...rest].join(', ')}`]
    }),
  ]
}

/** The last part of a path; the text itself if it has none. */
const lastPart = (path: string): string => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path
