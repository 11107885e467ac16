/** What `cairn replay` prints. */
import { RECORDED, formatUsd, nanoFromUsd, savedUsd } from '@cairn/core'
import type { PolicyReplay, ReplaySettings, TokenUse, Trajectory } from '@cairn/core'
import type { Context } from '../command.ts'
import { counted, formatCount, formatShare, formatWhole } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines, type Column, type TableOptions } from '../terminal/table.ts'
import { wrapLine } from '../terminal/wrap.ts'
import { billJson, billText, type Bill } from './replay-bill.ts'
import type { ReplayOutcome } from './replay-run.ts'

/** Returns a replay's cost with restores as a multiple of another cost, both in USD; 1 if the other is 0. */
const shareOf = (replay: PolicyReplay, cost: number): number => (cost === 0 ? 1 : replay.costWithRestoresUsd / cost)

/**
 * What `replay --json` prints, as a value: the settings, each policy's outcome, and the bill, null where there is
 * none.
 */
export const reportJson = (
  { session, recordedChanges }: Pick<Trajectory, 'session' | 'recordedChanges'>,
  { window, prefix, prices, cacheLifetime, charactersPerToken }: ReplaySettings,
  { policies, none, recorded }: ReplayOutcome,
  bill: Bill | undefined,
): unknown => ({
  session,
  window,
  prefix,
  ttl: cacheLifetime,
  charactersPerToken,
  prices,
  paid: billJson(bill),
  recorded: {
    basis: 'simulated',
    changes: recordedChanges,
    costUsd: recorded.costUsd,
    costWithRestoresUsd: recorded.costWithRestoresUsd,
    peakTokens: recorded.peakTokens,
  },
  policies: policies.map((replay) => policyJson(replay, none, recorded)),
})

/**
 * Returns a policy's replay for `--json`, with its cost relative to `none` and what it saves compared with what the
 * agent did. Costs are in USD. `costRelative` is 1 for the same cost.
 */
const policyJson = (replay: PolicyReplay, none: PolicyReplay, recorded: PolicyReplay): unknown => ({
  policy: replay.policy,
  basis: 'simulated',
  requests: replay.requests,
  costUsd: replay.costUsd,
  costWithRestoresUsd: replay.costWithRestoresUsd,
  costRelative: shareOf(replay, none.costUsd),
  cacheHitRatio: replay.cacheHitRatio,
  peakTokens: replay.peakTokens,
  removals: replay.removals,
  overflows: replay.overflows,
  referencesVisible: replay.referencesVisible,
  anchorsVisible: replay.anchorsVisible,
  missedReferences: replay.missedReferences,
  missedContent: replay.missedContent,
  references: replay.references,
  anchors: replay.anchors,
  rewrites: replay.rewrites,
  costByClass: replay.costByClass,
  tokensByUse: replay.tokensByUse,
  savedAgainstRecordedUsd: savedUsd(replay, recorded),
})

/** A column of numbers; of those with a rank the highest is left out first where the terminal is narrow. */
const right = (title: string, dropRank?: number): Column => ({
  title,
  align: 'right',
  ...(dropRank === undefined ? {} : { dropRank }),
})
/** Returns an amount in USD as text. */
const usd = (amount: number): string => formatUsd(nanoFromUsd(amount))

const POLICY_COLUMNS: readonly Column[] = [
  { title: 'Policy' },
  right('Cost'),
  right('Relative', 1),
  right('Cached', 4),
  right('Peak', 5),
  right('Removed', 6),
  right('Over', 2),
  right('Missed', 3),
  right('Content', 7),
]

const USES: readonly (readonly [TokenUse, string])[] = [
  ['prefix', 'fixed prefix'],
  ['user', 'the user'],
  ['program', "the agent's program"],
  ['replies', 'replies'],
  ['reasoning', 'reasoning'],
  ['reads', 'reads'],
  ['edits', 'edits'],
  ['commands', 'commands'],
  ['searches', 'searches'],
  ['otherTools', 'other tools'],
  ['inserted', 'put in by policy'],
]

/**
 * Prints what `replay` found, in the terminal's width: the session and its prices, what was paid (or that it is not
 * known), a row a policy, what the input was for, a warning about requests too large to send, and what the best
 * policy would have saved. Rejects only when the output can't be written.
 */
export const showReport = async (
  { session, turns, recordedChanges }: Trajectory,
  settings: ReplaySettings,
  { policies, none, recorded, bill }: ReplayOutcome & { readonly bill: Bill | undefined },
  { terminal }: Context,
): Promise<void> => {
  const say = async (text: string): Promise<void> => {
    for (const line of wrapLine(text, terminal.width)) await terminal.line(line)
  }
  /** Prints a table, and which of its columns had no room. */
  const show = async (
    columns: readonly Column[],
    rows: readonly (readonly string[])[],
    total?: readonly string[],
  ): Promise<void> => {
    const table = tableLines({ columns, rows, width: terminal.width, ...(total === undefined ? {} : { total }) })
    await terminal.line(terminal.style('bold', table.head))
    for (const row of table.rows) await terminal.line(row)
    if (table.total !== undefined) await terminal.line(terminal.style('bold', table.total))
    if (table.dropped.length > 0) await say(`No room for: ${table.dropped.join(', ')} (a wider terminal shows them).`)
  }

  await say(
    `${neutraliseLine(session)}: ${counted(turns.length, 'request')}, a window of ${formatCount(settings.window)} tokens, ${priceText(settings)}.`,
  )
  await say(billText(bill))
  await terminal.line()
  await show(
    POLICY_COLUMNS,
    policies.map((replay) => [
      replay.policy,
      usd(replay.costWithRestoresUsd),
      shareOf(replay, recorded.costWithRestoresUsd).toFixed(3),
      formatShare(replay.cacheHitRatio),
      formatCount(replay.peakTokens),
      formatCount(replay.removals),
      formatCount(replay.overflows),
      formatCount(replay.missedReferences),
      formatCount(replay.missedContent),
    ]),
  )
  await say(
    `All of these are simulated; "none" is append only. Cost: with getting back what was missed; relative to ${recordedText(recordedChanges)}. Over: requests larger than the window. Missed: what was needed again and was not visible; Content: also what stood in a digest only.`,
  )

  await terminal.line()
  const input = inputTable(policies, terminal.width)
  await show(input.columns, input.rows, input.total)
  await terminal.line()
  const unsendable = unsendableText(policies)
  if (unsendable !== undefined) await say(unsendable)
  await say(savedText({ policies, none, recorded }))
}

/**
 * What the input of each policy was for, in tokens, with shares of all its input where the width (columns) has room for
 * them. Uses that no policy has tokens of are left out.
 */
export const inputTable = (
  policies: readonly PolicyReplay[],
  width: number,
): Required<Pick<TableOptions, 'columns' | 'rows' | 'total'>> => {
  const uses = USES.filter(([use]) => policies.some(({ tokensByUse }) => tokensByUse[use] > 0))
  const columns = [
    { title: 'Input tokens' },
    ...policies.map(({ policy }, index) => right(policy, index === 0 ? undefined : index)),
  ]
  /** The table with or without shares of all input. */
  const table = (withShares: boolean) => {
    const cells = policies.map((replay) => inputCells(replay, withShares))
    return {
      columns,
      rows: uses.map(([use, name]) => [name, ...cells.map((of) => of(use))]),
      total: ['Total', ...cells.map((of) => of('total'))],
    }
  }
  const whole = table(true)
  return tableLines({ ...whole, width }).dropped.length === 0 ? whole : table(false)
}

/**
 * Returns a function that gives the cell of a policy's column for a use: its tokens, `withShares` with percent of all
 * its input. The total has no share but blanks instead, so that the numbers stand under one another.
 */
const inputCells = ({ tokensByUse }: PolicyReplay, withShares: boolean): ((use: TokenUse | 'total') => string) => {
  const total = Object.values(tokensByUse).reduce((sum, tokens) => sum + tokens, 0)
  const share = (use: TokenUse): string => String(Math.round((total === 0 ? 0 : tokensByUse[use] / total) * 100))
  const digits = Math.max(...USES.map(([use]) => share(use).length))
  return (use) => {
    if (!withShares) return formatCount(use === 'total' ? total : tokensByUse[use])
    return use === 'total'
      ? `${formatCount(total)}${' '.repeat(digits + 3)}`
      : `${formatCount(tokensByUse[use])} ${share(use).padStart(digits)} %`
  }
}

/** Returns the prices of a replay in words, USD per million tokens. */
const priceText = ({ prices: { input, output, write, read }, cacheLifetime }: ReplaySettings): string =>
  cacheLifetime === 0
    ? `$${input} in and $${output} out per million, no cache`
    : `$${input} in, $${output} out, $${write} write, $${read} read per million, kept for ${counted(cacheLifetime, 'second')}`

/**
 * Returns what costs are relative to: the context as the agent itself sent it. `changes`: how often it changed its
 * context.
 */
const recordedText = (changes: number): string =>
  changes === 0
    ? 'what the agent sent, which never changed its context'
    : `what the agent sent ("recorded"), which changed its context ${changes === 1 ? 'once' : `${formatWhole(changes)} times`}`

/**
 * What the best policy would have saved of what the agent's own context costs in the same simulation, as a sentence;
 * also where none would, or none was replayed. The cheapest is the best (`none` and `recorded` don't count), but
 * policies whose requests all fit the window come first.
 */
export const savedText = ({ policies, none, recorded }: ReplayOutcome): string => {
  const others = policies.filter(({ policy }) => policy !== 'none' && policy !== RECORDED)
  const fitting = others.filter(({ overflows }) => overflows === 0)
  const best = (fitting.length > 0 ? fitting : others).toSorted(
    (left, right) => left.costWithRestoresUsd - right.costWithRestoresUsd,
  )[0]
  const appended = `Append only, simulated, costs ${usd(none.costUsd)}${none.overflows === 0 ? '' : ` and does not fit the window in ${counted(none.overflows, 'request')}`}`
  const own = `what the agent did, simulated, ${usd(recorded.costWithRestoresUsd)}`
  const all = `${appended}; ${own}`
  if (best === undefined) return `${all}.`
  const saved = savedUsd(best, recorded)
  if (saved <= 0)
    return `${all}; no policy${fitting.length === others.length ? '' : ' that fits the window'} would have saved anything of that.`
  const missed =
    best.missedReferences === 0
      ? 'no counted miss'
      : best.missedReferences === 1
        ? '1 counted miss'
        : `${formatWhole(best.missedReferences)} counted misses`
  const less = `${usd(saved)} (${formatShare(saved / recorded.costWithRestoresUsd)}) less than what the agent did`
  return `${all}. ${best.policy}, simulated, costs ${usd(best.costWithRestoresUsd)}: ${less}; with ${missed}.`
}

/**
 * Returns a warning if a policy's requests would have been too large to send; undefined otherwise. `none` and the
 * agent's own context (`recorded`) are not included.
 */
export const unsendableText = (policies: readonly PolicyReplay[]): string | undefined => {
  const over = policies.filter(({ policy, overflows }) => policy !== 'none' && policy !== RECORDED && overflows > 0)
  if (over.length === 0) return undefined
  const parts = over.map(
    ({ policy, overflows, requests }) => `${formatWhole(overflows)} of ${counted(requests, 'request')} under ${policy}`,
  )
  return `Warning: ${parts.join(', ')} are larger than the window and could not have been sent; the cost counts them as if they had.`
}
