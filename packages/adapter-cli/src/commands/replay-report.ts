/** What `cairn replay` prints. */
import { formatUsd, nanoFromUsd } from '@cairn/core'
import type { PolicyReplay, ReplaySettings, TokenUse, Trajectory } from '@cairn/core'
import type { Context } from '../command.ts'
import { counted, formatCount, formatShare, formatWhole } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines, type Column } from '../terminal/table.ts'
import { wrapLine } from '../terminal/wrap.ts'
import type { ReplayOutcome } from './replay-run.ts'

/** Cost with restores as a share of what sending everything costs; 1 where that costs nothing. */
const relativeCost = (replay: PolicyReplay, none: PolicyReplay): number =>
  none.costUsd === 0 ? 1 : replay.costWithRestoresUsd / none.costUsd

/** The document of `--json`. */
export const reportJson = (
  session: string,
  { window, prefix, prices, cacheLifetime, charactersPerToken }: ReplaySettings,
  { policies, none }: ReplayOutcome,
): unknown => ({
  session,
  window,
  prefix,
  ttl: cacheLifetime,
  charactersPerToken,
  prices,
  policies: policies.map((replay) => {
    const {
      policy,
      requests,
      costUsd,
      costWithRestoresUsd,
      cacheHitRatio,
      peakTokens,
      removals,
      overflows,
      referencesVisible,
      anchorsVisible,
      missedReferences,
      missedContent,
    } = replay
    return {
      policy,
      requests,
      costUsd,
      costWithRestoresUsd,
      costRelative: relativeCost(replay, none),
      cacheHitRatio,
      peakTokens,
      removals,
      overflows,
      referencesVisible,
      anchorsVisible,
      missedReferences,
      missedContent,
      references: replay.references,
      anchors: replay.anchors,
      rewrites: replay.rewrites,
      costByClass: replay.costByClass,
      tokensByUse: replay.tokensByUse,
    }
  }),
})

const right = (title: string): Column => ({ title, align: 'right' })
const usd = (amount: number): string => formatUsd(nanoFromUsd(amount))

const POLICY_COLUMNS: readonly Column[] = [
  { title: 'Policy' },
  right('Cost'),
  right('Relative'),
  right('Cached'),
  right('Peak'),
  right('Removed'),
  right('Over'),
  right('Missed'),
  right('Content'),
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
  ['inserted', 'put in by the policy'],
]

/** Prints tables for people, in the terminal's width. */
export const showReport = async (
  { session, turns }: Trajectory,
  settings: ReplaySettings,
  { policies, none }: ReplayOutcome,
  { terminal }: Context,
): Promise<void> => {
  const say = async (text: string): Promise<void> => {
    for (const line of wrapLine(text, terminal.width)) await terminal.line(line)
  }
  const show = async (
    columns: readonly Column[],
    rows: readonly (readonly string[])[],
    total?: readonly string[],
  ): Promise<void> => {
    const table = tableLines({ columns, rows, width: terminal.width, ...(total === undefined ? {} : { total }) })
    await terminal.line(terminal.style('bold', table.head))
    for (const row of table.rows) await terminal.line(row)
    if (table.total !== undefined) await terminal.line(terminal.style('bold', table.total))
  }

  await say(
    `${neutraliseLine(session)}: ${counted(turns.length, 'request')}, a window of ${formatCount(settings.window)} tokens, ${priceText(settings)}.`,
  )
  await terminal.line()
  await show(
    POLICY_COLUMNS,
    policies.map((replay) => [
      replay.policy,
      usd(replay.costWithRestoresUsd),
      relativeCost(replay, none).toFixed(3),
      formatShare(replay.cacheHitRatio),
      formatCount(replay.peakTokens),
      formatCount(replay.removals),
      formatCount(replay.overflows),
      formatCount(replay.missedReferences),
      formatCount(replay.missedContent),
    ]),
  )
  await say(
    'Cost: with getting back what was missed; relative to sending everything. Over: requests larger than the window. Missed: what was needed again and was not visible; Content: also what stood in a digest only.',
  )

  await terminal.line()
  const used = USES.filter(([use]) => policies.some(({ tokensByUse }) => tokensByUse[use] > 0))
  const total = (replay: PolicyReplay): number =>
    Object.values(replay.tokensByUse).reduce((sum, tokens) => sum + tokens, 0)
  const cell = (tokens: number, all: number): string =>
    `${formatCount(tokens)} ${String(Math.round((all === 0 ? 0 : tokens / all) * 100)).padStart(3)} %`
  await show(
    [{ title: 'Input tokens' }, ...policies.map(({ policy }) => right(policy))],
    used.map(([use, name]) => [name, ...policies.map((replay) => cell(replay.tokensByUse[use], total(replay)))]),
    ['Total', ...policies.map((replay) => cell(total(replay), total(replay)))],
  )
  await terminal.line()
  const unsendable = unsendableText(policies)
  if (unsendable !== undefined) await say(unsendable)
  await say(savedText(policies, none))
}

const priceText = ({ prices: { input, output, write, read }, cacheLifetime }: ReplaySettings): string =>
  cacheLifetime === 0
    ? `$${input} in and $${output} out per million, no cache`
    : `$${input} in, $${output} out, $${write} write, $${read} read per million, kept for ${counted(cacheLifetime, 'second')}`

/** What would have been saved, in one sentence. Of policies whose requests all fit the window, where there are any. */
export const savedText = (policies: readonly PolicyReplay[], none: PolicyReplay): string => {
  const others = policies.filter(({ policy }) => policy !== 'none')
  const fitting = others.filter(({ overflows }) => overflows === 0)
  const best = (fitting.length > 0 ? fitting : others).toSorted(
    (left, right) => left.costWithRestoresUsd - right.costWithRestoresUsd,
  )[0]
  const all = `Sending everything costs ${usd(none.costUsd)}${none.overflows === 0 ? '' : ` and does not fit the window in ${counted(none.overflows, 'request')}`}`
  if (best === undefined) return `${all}.`
  const saved = none.costUsd - best.costWithRestoresUsd
  const missed =
    best.missedReferences === 0
      ? 'no counted miss'
      : best.missedReferences === 1
        ? '1 counted miss'
        : `${formatWhole(best.missedReferences)} counted misses`
  if (saved <= 0)
    return `${all}; no policy${fitting.length === others.length ? '' : ' that fits the window'} would have saved anything.`
  return `${all}; ${best.policy} would have saved ${usd(saved)} of it (${formatShare(saved / none.costUsd)}), with ${missed}.`
}

/** A warning of costs that no provider would have made possible; of `none` that is said with what it costs. */
export const unsendableText = (policies: readonly PolicyReplay[]): string | undefined => {
  const over = policies.filter(({ policy, overflows }) => policy !== 'none' && overflows > 0)
  if (over.length === 0) return undefined
  const parts = over.map(
    ({ policy, overflows, requests }) => `${formatWhole(overflows)} of ${counted(requests, 'request')} under ${policy}`,
  )
  return `Warning: ${parts.join(', ')} are larger than the window and could not have been sent; the cost counts them as if they had.`
}
