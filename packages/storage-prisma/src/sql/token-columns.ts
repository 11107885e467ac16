/** Token counts as columns: the conversion between a request, or a sum, and its row. */
import { TOKEN_COUNTS, tokenCount } from '@cairn/core'
import type { TokenColumn, TokenField, TokenSums, TokenUsage } from '@cairn/core'

export type TokenRow = Readonly<Record<TokenColumn, number>>

/** The columns with token counts, in the order of `TOKEN_COUNTS`. */
export const tokenColumns: readonly TokenColumn[] = TOKEN_COUNTS.map(({ column }) => column)

/** The counts of a request as columns; 0 for what it does not report. */
export const tokenRow = (usage: TokenUsage): TokenRow => {
  const row: Partial<Record<TokenColumn, number>> = {}
  for (const { field, column } of TOKEN_COUNTS) row[column] = tokenCount(usage, field)
  // The list has every column.
  return row as TokenRow
}

/** A copy of the counts of a row, without its other columns. */
export const pickTokenColumns = (row: TokenRow): TokenRow => {
  const picked: Partial<Record<TokenColumn, number>> = {}
  for (const { column } of TOKEN_COUNTS) picked[column] = row[column]
  // The list has every column.
  return picked as TokenRow
}

/** The counts of a row by their fields. Called for each row of a report, so without lookups. */
export const tokensOfRow = (row: TokenRow): TokenSums => {
  const sums: Partial<Record<TokenField, number>> = {}
  for (const { field, column } of TOKEN_COUNTS) sums[field] = row[column]
  // The list has every field.
  return sums as TokenSums
}
