/** The list of `cairn models`, and one model in full. */
import { formatUsd, usdFromNano } from '@cairn/core'
import type { KnownModel, UsageRow } from '@cairn/core'
import type { KeyLocation, ProviderKey } from '@cairn/core/providers'
import { counted, formatCount, formatDuration, formatWhole } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'
import type { Column } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapAfter, wrapLine } from '../terminal/wrap.ts'
import { costCell } from './usage-table.ts'

/** A model with what requests to it used. */
interface ListedRow {
  readonly model: KnownModel
  /** What requests to it used; undefined where there are none. */
  readonly usage: UsageRow | undefined
}

/** The models to show. */
export interface ModelListing {
  readonly rows: readonly ListedRow[]
  /** Of the price list. */
  readonly providers: readonly { readonly id: string; readonly title: string }[]
  /** Of all providers that can be asked. */
  readonly keys: readonly ProviderKey[]
  /** No provider and no model was asked for: keys of providers without a row are told, too. */
  readonly isWhole: boolean
  /** Models of the whole price list. */
  readonly knownCount: number
}

const UNKNOWN = '-'

/** A price with at most three decimals; `-` if unknown. */
const priceText = (usd: number | null | undefined): string =>
  usd === null || usd === undefined ? UNKNOWN : String(Number(usd.toFixed(3)))

/** A number of tokens; `-` if unknown, with `*` for the user's own setting. */
const sizeText = (tokens: number | null, isOwn = false): string =>
  tokens === null ? UNKNOWN : `${formatCount(tokens)}${isOwn ? '*' : ''}`

/** How long a provider caches, as providers write it: `5m`, `1h`. */
const lifetimeText = (seconds: number): string =>
  seconds % 3600 === 0 ? `${seconds / 3600}h` : seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`

/** How a model's cache works; "marked" if the request marks what is cached. */
const cacheText = ({ cache, cacheLifetimeSeconds }: KnownModel): string =>
  cache === 'none' ? 'none' : `${cache === 'anthropic' ? 'marked' : 'auto'} ${lifetimeText(cacheLifetimeSeconds)}`

const KEPT_IN = { keyring: 'keyring', file: 'secrets file' } as const

/** Where a key was found. */
const locationText = (found: KeyLocation): string =>
  found.from === 'environment' ? found.variable : KEPT_IN[found.from]

/** Whether and where a provider's key is set, or which variable sets it; empty for a provider that can't be asked. */
const keyText = (key: ProviderKey | undefined): string => {
  if (key === undefined) return ''
  if (key.found !== null) return `key set (${locationText(key.found)})`
  return key.isNeeded ? `key not set (${key.variables[0] ?? ''}, or cairn secret set ${key.name})` : 'no key needed'
}

/** Returns a right-aligned column; the higher its rank, the sooner it is left out. One without a rank always stays. */
const right = (title: string, dropRank?: number): Column => ({
  title,
  align: 'right',
  ...(dropRank === undefined ? {} : { dropRank }),
})

/** Returns the columns; a narrow terminal drops the highest ranks first. The cost column only with `withCost`. */
const columnsOf = (withCost: boolean): readonly Column[] => [
  { title: 'model', shorten: 'middle', minimum: 22 },
  right('window'),
  right('reply', 5),
  right('input'),
  right('cached', 2),
  right('write', 3),
  right('output'),
  { title: 'cache', dropRank: 4 },
  ...(withCost ? [right('cost', 1)] : []),
]

/**
 * Returns the cells of a model's row in the order of `columnsOf(withCost)`, prices in USD per million tokens; a star
 * marks the user's own price or window. What is not known is a dash, the cost of a model without requests empty.
 */
const cellsOf = ({ model, usage }: ListedRow, withCost: boolean): readonly string[] => [
  `  ${neutraliseLine(model.id)}`,
  sizeText(model.contextWindow, model.isOwnWindow),
  sizeText(model.maxOutputTokens),
  `${priceText(model.prices?.input)}${model.isOwnPrice ? '*' : ''}`,
  priceText(model.prices?.cacheRead),
  priceText(model.prices?.cacheWrite),
  priceText(model.prices?.output),
  cacheText(model),
  ...(withCost ? [usage === undefined ? '' : costCell(usage)] : []),
]

/** The rows by provider, in the price list's order, those without a provider last. */
const grouped = ({ rows, providers }: ModelListing): readonly (readonly [string | null, readonly ListedRow[]])[] => {
  const byProvider = Map.groupBy(rows, ({ model }) => model.provider)
  return [...providers.map(({ id }) => id), null].flatMap((id) => {
    const some = byProvider.get(id)
    return some === undefined ? [] : [[id, some] as const]
  })
}

/**
 * Returns the heading of a provider's models, with where its key was found; for null, that they are not in the price
 * list.
 */
const headingOf = (provider: string | null, { providers, keys }: ModelListing): string =>
  provider === null
    ? 'Not in the price list'
    : [
        `${providers.find(({ id }) => id === provider)?.title ?? provider} (${provider})`,
        keyText(keys.find(({ name }) => name === provider)),
      ]
        .filter((part) => part !== '')
        .join(': ')

/** The keys of providers that can be asked but have no row; empty unless everything is listed. */
const otherKeyLines = ({ rows, keys, isWhole }: ModelListing): readonly string[] => {
  if (!isWhole) return []
  const shown = new Set(rows.map(({ model }) => model.provider))
  return keys.filter(({ name }) => !shown.has(name)).map((key) => `${key.title} (${key.name}): ${keyText(key)}`)
}

/** The cost of all rows in nano-USD. */
const totalCost = (rows: readonly ListedRow[]): bigint =>
  rows.reduce((sum, { usage }) => sum + (usage?.costNano ?? 0n), 0n)

/**
 * Returns the table within `width` columns: its `head`, and its other lines with a heading for each provider; the last
 * one starts with `Total`. `dropped` names the columns that did not fit.
 */
export const modelLines = (
  listing: ModelListing,
  width: number,
): { readonly head: string; readonly lines: readonly string[]; readonly dropped: readonly string[] } => {
  const withCost = listing.rows.some(({ usage }) => usage !== undefined)
  const groups = grouped(listing)
  const { head, rows, dropped } = tableLines({
    columns: columnsOf(withCost),
    rows: groups.flatMap(([, some]) => some.map((row) => cellsOf(row, withCost))),
    width,
  })
  let next = 0
  const lines = groups.flatMap(([provider, some]) => {
    const own = rows.slice(next, next + some.length)
    next += some.length
    return [...wrapLine(headingOf(provider, listing), width), ...own]
  })
  lines.push(...otherKeyLines(listing).flatMap((line) => wrapLine(line, width)))
  const cost = withCost ? `; ${formatUsd(totalCost(listing.rows))} so far` : ''
  const total = `Total  ${counted(listing.rows.length, 'model')} of ${formatWhole(listing.knownCount)} known${cost}`
  return { head, lines: [...lines, ...wrapLine(total, width)], dropped }
}

/** A number of tokens in words. */
const tokensText = (tokens: number | null): string => (tokens === null ? 'unknown' : counted(tokens, 'token'))

/** Returns one model in full, one fact per line; what is not known is `unknown` or left out. */
const detailLines = (row: ListedRow, listing: ModelListing, width: number): readonly string[] => {
  const { model, usage } = row
  const { prices } = model
  const usd = (value: number | null): string => (value === null ? 'unknown' : `$${priceText(value)}`)
  const facts: readonly (readonly [string, string])[] = [
    ['Provider', headingOf(model.provider, listing)],
    ['Window', `${tokensText(model.contextWindow)}${model.isOwnWindow ? ' (your setting)' : ''}`],
    ['Longest reply', tokensText(model.maxOutputTokens)],
    ['Cache', cacheSentence(model)],
    ...(prices === null
      ? [['Prices', 'unknown'] as const]
      : ([
          ['Input', `${usd(prices.input)} per million tokens${model.isOwnPrice ? ' (your setting)' : ''}`],
          ...(prices.cacheRead === null ? [] : [['Cached input', usd(prices.cacheRead)] as const]),
          ...(prices.cacheWrite === null ? [] : [['Cache write', usd(prices.cacheWrite)] as const]),
          ...(prices.cacheWrite1h === null ? [] : [['Write for 1 h', usd(prices.cacheWrite1h)] as const]),
          ['Output', usd(prices.output)],
        ] as const)),
    ...(usage === undefined ? [] : [['Used', `${counted(usage.requests, 'request')}, ${costCell(usage)}`] as const]),
    ...(model.isDeprecated ? [['Note', 'the provider takes it away, or has'] as const] : []),
  ]
  return [
    ...wrapLine(neutraliseLine(model.id), width),
    ...facts.flatMap(([name, value]) => wrapAfter(`  ${name.padEnd(14)} `, value, width)),
  ]
}

/** Returns how a model's cache works, in a few words. */
const cacheSentence = ({ cache, cacheLifetimeSeconds }: KnownModel): string => {
  if (cache === 'none') return 'none known'
  const what = cache === 'anthropic' ? 'what the request marks' : 'automatic'
  return `${what}, kept ${formatDuration(cacheLifetimeSeconds * 1000)} after its last use`
}

/** Prints the list, or a single model in full; a sentence if the list is empty. */
export const showModels = async (listing: ModelListing, terminal: Terminal): Promise<void> => {
  const { rows } = listing
  const [only] = rows
  if (only === undefined)
    return terminal.line('No request in the store names such a model; take in what your agents did: cairn import')
  if (rows.length === 1) {
    for (const line of detailLines(only, listing, terminal.width)) await terminal.line(line)
    return
  }
  const { head, lines, dropped } = modelLines(listing, terminal.width)
  await terminal.line(terminal.style('bold', head))
  for (const line of lines.slice(0, -1)) await terminal.line(line)
  await terminal.line(terminal.style('bold', lines.at(-1) ?? ''))
  const notes = [
    ...(dropped.length > 0 ? [`No room for: ${dropped.join(', ')} (a wider terminal shows them).`] : []),
    ...(rows.some(({ model }) => model.isOwnPrice || model.isOwnWindow) ? ['*: your setting.'] : []),
    'Prices: USD per million tokens. One model in full: cairn models <name>',
  ]
  for (const note of notes) for (const line of wrapLine(note, terminal.width)) await terminal.line(line)
}

/**
 * Returns the document of `--json`: models with prices and usage (`used` is null if no request used it or it was not
 * asked for), keys that were found, totals in USD.
 */
export const modelsJson = ({ rows, keys, knownCount }: ModelListing): Record<string, unknown> => ({
  models: rows.map(({ model, usage }) => ({
    ...model,
    used:
      usage === undefined
        ? null
        : {
            requests: usage.requests,
            unpricedRequests: usage.unpricedRequests,
            costUsd: usdFromNano(usage.costNano),
          },
  })),
  keys: keys.map(({ name, title, variables, isNeeded, found }) => ({
    provider: name,
    title,
    variables,
    key: found === null ? 'not set' : 'set',
    isNeeded,
    found,
  })),
  total: { models: rows.length, known: knownCount, costUsd: usdFromNano(totalCost(rows)) },
})
