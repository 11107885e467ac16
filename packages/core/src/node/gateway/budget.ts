/** A budget that the gateway keeps to: what was spent is compared with it before each request. */
import { formatUsd, nanoFromUsd, type NanoUsd } from '../../money.ts'
import type { RequestFact, UsageStorage } from '../../ports/usage-storage.ts'
import { budgetError, type OwnError } from './error-bodies.ts'

export const BUDGET_SPANS = ['run', 'day', 'month'] as const
/** What a budget is for: this run of the gateway, or the day or month that it is. */
export type BudgetSpan = (typeof BUDGET_SPANS)[number]

export interface BudgetInput {
  readonly limitUsd: number
  readonly span: BudgetSpan
  /** Where days and months begin, IANA name. */
  readonly timeZone: string
  /** Only what was spent in this project counts; undefined: in all. */
  readonly workspace: string | undefined
  /** Where the spending stands; undefined: only what this run spends is known. */
  readonly usage: Pick<UsageStorage, 'report'> | undefined
  readonly now: () => number
}

export interface Budget {
  /** The error to send instead of a request; undefined while the budget lasts. Rejects where the store does. */
  refusal(): Promise<OwnError | undefined>
  /** Counts a bill. `written` resolves when the store has it, too. */
  spend(bill: RequestFact, written: Promise<unknown>): void
}

/** What others spend is looked up again after this time, ms. */
const LOOK_AGAIN_MS = 5_000
/** How often it is looked up again because bills were written meanwhile. */
const MOST_LOOKS = 5

/**
 * A budget of which nothing is spent in this run yet. For a day or month what the store has of that period counts too
 * (of `workspace` alone where it is given), looked up again every 5 s and after each bill; for a run only what it
 * spends. Requests without a price cost 0. A bill that could not be written counts all the same. Once the limit is
 * reached, exactly or beyond, nothing more is sent.
 */
export const createBudget = ({ limitUsd, span, timeZone, workspace, usage, now }: BudgetInput): Budget => {
  const limit = nanoFromUsd(limitUsd)
  let ofRun: NanoUsd = 0n
  /** What the store may not have yet, by the period that it was spent in. */
  const unwritten = new Map<string, NanoUsd>()
  const periodNow = (): string => (span === 'run' ? '' : periodAt(now(), span, timeZone))
  const addUnwritten = (period: string, cost: NanoUsd): void => {
    const left = (unwritten.get(period) ?? 0n) + cost
    if (left === 0n) unwritten.delete(period)
    else unwritten.set(period, left)
  }
  /** How many bills were written. */
  let settled = 0
  let known: { readonly nano: NanoUsd; readonly at: number; readonly period: string } | undefined

  /** What the store has of the span's spending: of the run what this run has written, else looked up every few seconds. */
  const stored = async (period: string): Promise<NanoUsd> => {
    if (usage === undefined || span === 'run') return ofRun - (unwritten.get(period) ?? 0n)
    for (
      let tries = 1;
      known === undefined || known.period !== period || now() - known.at > LOOK_AGAIN_MS;
      tries += 1
    ) {
      const filter = workspace === undefined ? {} : { workspace }
      const before = settled
      const { rows } = await usage.report({ by: span, timeZone, filter, since: now() - LONGEST_SPAN_MS })
      // A bill that was written meanwhile may not be in the answer, and is no longer counted here.
      if (before !== settled && tries < MOST_LOOKS) continue
      known = { nano: rows.find(({ key }) => key === period)?.costNano ?? 0n, at: now(), period }
    }
    return known.nano
  }

  return {
    /**
     * The error (402) once the period's spending has reached the limit; undefined before. Rejects as the store does.
     */
    refusal: async () => {
      const period = periodNow()
      const spent = (await stored(period)) + (unwritten.get(period) ?? 0n)
      if (spent < limit) return undefined
      const whose = workspace === undefined ? '' : ` for ${workspace}`
      return budgetError(
        `Cairn's gateway sends nothing more: ${formatUsd(spent)} of the budget of ${formatUsd(limit)} ${SPANS[span](period)}${whose} is spent. Start it with a larger --budget to go on.`,
      )
    },
    /** Counts a bill at once; once `written` resolves the store's own figure is looked up anew. */
    spend: ({ costNano }, written) => {
      const [cost, period] = [costNano ?? 0n, periodNow()]
      ofRun += cost
      addUnwritten(period, cost)
      const settle = (): void => {
        settled += 1
        addUnwritten(period, -cost)
        known = undefined
      }
      // What could not be written is spent all the same: it stays in this sum.
      written.then(settle, () => undefined)
    },
  }
}

const SPANS: Readonly<Record<BudgetSpan, (period: string) => string>> = {
  run: () => 'for this run',
  day: (period) => `for ${period}`,
  month: (period) => `for ${period}`,
}

/** Longer than a month in any time zone. */
const LONGEST_SPAN_MS = 33 * 86_400_000

/**
 * The key of the day or month that it is in the time zone, as usage has it: `2026-01-31` or `2026-01`.
 */
const periodAt = (at: number, span: Exclude<BudgetSpan, 'run'>, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(at)
    .reduce<Record<string, string>>((all, { type, value }) => ({ ...all, [type]: value }), {})
  const month = `${parts['year'] ?? ''}-${parts['month'] ?? ''}`
  return span === 'day' ? `${month}-${parts['day'] ?? ''}` : month
}
