/** How cost changed compared with the preceding period, for `cairn insights`. */
import { formatUsd, usdFromNano } from '@cairn/core'
import { CHANGE_DIMENSIONS } from '@cairn/core/insights'
import type { ActiveDays, ChangeDimension, CostChange, Mover, Movers, TimeSpan } from '@cairn/core/insights'
import { counted, formatMinute } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

const moverJson = ({ key, beforeNano, nowNano, changeNano }: Mover) => ({
  key,
  beforeUsd: usdFromNano(beforeNano),
  nowUsd: usdFromNano(nowNano),
  changeUsd: usdFromNano(changeNano),
})

const moversJson = ({ movers, others }: Movers) => ({
  movers: movers.map(moverJson),
  others: { count: others.count, changeUsd: usdFromNano(others.changeNano) },
})

/** The change for `--json`: `{since, until, beforeUsd, nowUsd, changeUsd, by}`; the span is that before. */
export const changeJson = ({ now, before, changeNano, by }: CostChange, span: TimeSpan): Record<string, unknown> => ({
  ...span,
  beforeUsd: usdFromNano(before.costNano),
  nowUsd: usdFromNano(now.costNano),
  changeUsd: usdFromNano(changeNano),
  by: { workspace: moversJson(by.workspace), model: moversJson(by.model), session: moversJson(by.session) },
})

/** Active days for `--json`, costs in USD. */
export const activeDaysJson = ({ days, costNano, meanNano, medianNano }: ActiveDays): Record<string, number> => ({
  days,
  costUsd: usdFromNano(costNano),
  meanUsd: usdFromNano(meanNano),
  medianUsd: usdFromNano(medianNano),
})

/** The cost of a day with requests, as a sentence; undefined without one. */
export const activeDaysSentence = ({ days, meanNano, medianNano }: ActiveDays): string | undefined =>
  days === 0
    ? undefined
    : `${counted(days, 'active day')}: ${formatUsd(meanNano)} a day${days === 1 ? '' : `, median ${formatUsd(medianNano)}`}.`

const signed = (nano: bigint): string => (nano < 0n ? `−${formatUsd(-nano)}` : `+${formatUsd(nano)}`)

const NAMES: Readonly<Record<ChangeDimension, string>> = { workspace: 'project', model: 'model', session: 'session' }

/** The change and its causes, one line per dimension; nothing if neither period cost anything. */
export const changeSentences = (
  { now, before, changeNano, by }: CostChange,
  span: TimeSpan,
  idOf: (sessionId: string) => string,
): readonly string[] => {
  if (now.costNano === 0n && before.costNano === 0n) return []
  const name = (dimension: ChangeDimension, key: string): string =>
    neutraliseLine(dimension === 'session' ? idOf(key) : dimension === 'workspace' ? lastPart(key) : key)
  return [
    `Against the time before (from ${formatMinute(span.since)}): ${signed(changeNano)}, from ${formatUsd(before.costNano)} to ${formatUsd(now.costNano)}.`,
    ...CHANGE_DIMENSIONS.flatMap((dimension) => {
      const { movers, others } = by[dimension]
      if (movers.length === 0) return []
      const parts = movers.map(({ key, changeNano: moved }) => `${name(dimension, key)} ${signed(moved)}`)
      const rest = others.count === 0 ? [] : [`${counted(others.count, 'other')} ${signed(others.changeNano)}`]
      return [`  by ${NAMES[dimension]}: ${[...parts, ...rest].join(', ')}`]
    }),
  ]
}

const lastPart = (path: string): string => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path
