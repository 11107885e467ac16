/** What the offered spans of time are called. All are whole days of the zone, so that two looks on a day show the same. */
import type { Period } from './selection.ts'

export interface PeriodName {
  readonly short: string
  readonly long: string
  /** What exactly it means. */
  readonly meaning: string
}

export const PERIOD_NAMES: Readonly<Record<Period, PeriodName>> = {
  today: { short: 'Today', long: 'Today', meaning: 'From midnight in the time zone that is chosen' },
  yesterday: { short: 'Yesterday', long: 'Yesterday', meaning: 'The whole day before today' },
  month: { short: 'This month', long: 'This month', meaning: 'Whole days: from the first of this month until today' },
  'last-month': { short: 'Last month', long: 'Last month', meaning: 'The whole calendar month before this one' },
  '7d': { short: '7 days', long: 'Last 7 days', meaning: 'Whole days: today and the 6 before it' },
  '30d': { short: '30 days', long: 'Last 30 days', meaning: 'Whole days: today and the 29 before it' },
  '90d': { short: '90 days', long: 'Last 90 days', meaning: 'Whole days: today and the 89 before it' },
  '1y': { short: '1 year', long: 'Last year', meaning: 'Whole days: today and the 364 before it' },
  all: {
    short: 'All',
    long: 'All time',
    meaning: 'Everything, requests without a time and with one in the future included',
  },
}
