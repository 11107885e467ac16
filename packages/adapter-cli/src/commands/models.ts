/** `cairn models`: facts and prices of models, and the providers that have a key. */
import { CairnError, knownModels, nearestNames } from '@cairn/core'
import type { KnownModels, NamedModel, UsageRow } from '@cairn/core'
import type { ProviderKey } from '@cairn/core/providers'
import type { CommonOptions, Context, Define } from '../command.ts'
import { didYouMean } from '../options/close-matches.ts'
import { someText } from '../options/option-values.ts'
import { modelsJson, showModels } from '../output/model-table.ts'
import type { ModelListing } from '../output/model-table.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

interface ModelsOptions extends CommonOptions {
  readonly provider?: string
  readonly used?: boolean
  readonly all?: boolean
}

const HELP = `
Shows the newest version of each series from the providers that make their own
models, and what your sessions used; --all shows the whole price list. A text is
searched for in these names first, then in the whole list; a single match is
shown in full.
Prices are in USD per million tokens, as of now. For each provider that Cairn
can use you see whether there is a key: in the environment, in the system's
keyring or in the secrets file (cairn secret).

Examples:
  cairn models
  cairn models opus
  cairn models gpt-5.5 --provider openai
  cairn models --used --json                   what each model has cost so far
  cairn models --provider groq --all`

/** Declares `cairn models`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('List known models: context windows, prices, caches, and available keys.')
    .argument('[name]', 'only models whose name contains this text', someText('[name]', "a part of a model's name"))
    .option('--provider <name>', 'only this provider, e.g. anthropic', someText('--provider', 'the name of a provider'))
    .option('--used', 'only models used by requests in the store, with their cost')
    .option('--all', 'the whole price list, not only current models')
    .addHelpText('after', HELP)
    .action((name: string | undefined, options: ModelsOptions) => runModels(name, options, context))
}

/**
 * Prints models with their prices and the sums of the store's requests, and which providers have a key. Without a name
 * or `--all` these are the current and the used models; a name finds any. Rejects with `usage` for an unknown provider,
 * a name that no model has, and `--used` under `--incognito`.
 */
const runModels = async (name: string | undefined, options: ModelsOptions, context: Context): Promise<void> => {
  const { prices } = await context.settings(options)
  const known = await knownModels({ at: context.now(), prices: prices.value })
  assertProvider(options.provider, known)
  const candidates = candidatesOf(known, await usedModels(options, context))
  const shown = found(name, options, candidates)
  const listing: ModelListing = {
    rows: shown.map(({ model, usage }) => ({ model: known.describe(model), usage })),
    providers: known.providers,
    keys: await keysFound(context),
    isWhole: name === undefined && options.provider === undefined && options.used !== true,
    knownCount: known.models.length,
  }
  if (options.json === true) return context.json(modelsJson(listing))
  await showModels(listing, context.terminal)
}

/**
 * Whether there is a key for each provider that can be asked. If stored keys can't be read, that is reported and they
 * are left out. In the order of the known providers.
 */
const keysFound = async (context: Context): Promise<readonly ProviderKey[]> => {
  const [{ openSecrets }, { providerKeys }] = await Promise.all([
    import('../models/open-secrets.ts'),
    import('@cairn/core/providers'),
  ])
  const { variables } = context.surroundings
  try {
    return providerKeys(variables, await (await openSecrets(context)).list())
  } catch (error) {
    if (!CairnError.is(error)) throw error
    context.terminal.note(error.message)
    return providerKeys(variables, [])
  }
}

/** A model that may be shown, with the sums of the store's requests to it. */
interface Candidate {
  readonly model: NamedModel
  /** Undefined where no request used it. */
  readonly usage: UsageRow | undefined
}

/**
 * Does nothing if the price list has the provider, in any letter case, or none is given.
 * @throws CairnError `usage`, with similar names, if not
 */
const assertProvider = (provider: string | undefined, { providers }: KnownModels): void => {
  const ids = providers.map(({ id }) => id)
  if (provider === undefined || ids.includes(provider.toLowerCase())) return
  throw new CairnError(
    'usage',
    `The price list has no provider '${provider}'.${didYouMean(provider, ids)} It has ${ids.filter((id) => !id.includes('_')).join(', ')}.`,
  )
}

/**
 * The sums of the store's requests by model, only those of `--workspace` if it is given. Empty under `--incognito`,
 * unless `--used` asks for it: then it rejects with `usage`, as the store is not read.
 */
const usedModels = async (options: ModelsOptions, context: Context): Promise<readonly UsageRow[]> => {
  if (options.incognito === true && options.used !== true) return []
  const [engine, workspace, { timezone }] = await Promise.all([
    context.readEngine(options),
    context.workspace(options),
    context.settings(options),
  ])
  const { rows } = await engine.usage.report({
    by: 'model',
    timeZone: timezone.value,
    ...(workspace === undefined ? {} : { filter: { workspace } }),
  })
  return rows
}

/**
 * Returns the whole list, and models that were used but are not listed under that name, each with its usage if it has
 * one.
 */
const candidatesOf = (known: KnownModels, used: readonly UsageRow[]): readonly Candidate[] => {
  const usedLeft = new Map(used.map((usage) => [usage.key, usage]))
  const listed = known.models.map((model): Candidate => {
    const usage = usedLeft.get(model.id)
    // Of several providers that list the name, the one that its requests would be priced by has the usage.
    if (usage === undefined || known.named(model.id).provider !== model.provider) return { model, usage: undefined }
    usedLeft.delete(model.id)
    return { model, usage }
  })
  return [...listed, ...[...usedLeft.values()].map((usage) => ({ model: known.named(usage.key), usage }))]
}

/**
 * The models to show, only the provider's and with `--used` only used ones: those that are current or were used; with
 * `--all`, or if the provider has none of these, all. `text` selects by name among these, and among all if that finds
 * none. Without a text the result may be empty.
 * @throws CairnError `usage`, with similar names, if a text finds no model
 */
const found = (
  text: string | undefined,
  { provider, used, all }: ModelsOptions,
  candidates: readonly Candidate[],
): readonly Candidate[] => {
  const ofProvider = candidates.filter(
    ({ model, usage }) =>
      (provider === undefined || model.provider === provider.toLowerCase()) && (used !== true || usage !== undefined),
  )
  const usual = ofProvider.filter(({ model, usage }) => usage !== undefined || model.isCurrent)
  const shown = all === true || (usual.length === 0 && provider !== undefined) ? ofProvider : usual
  if (text === undefined) return shown
  const named = matching(text, shown)
  const matches = named.length > 0 ? named : matching(text, ofProvider)
  if (matches.length > 0) return matches
  throw unknownModel(text, ofProvider, { provider, used })
}

/**
 * The models with exactly that name, otherwise those whose name contains it, in any letter case; empty if none does.
 */
const matching = (text: string, candidates: readonly Candidate[]): readonly Candidate[] => {
  const wanted = text.trim().toLowerCase()
  const exact = candidates.filter(({ model }) => model.id.toLowerCase() === wanted)
  return exact.length > 0 ? exact : candidates.filter(({ model }) => model.id.toLowerCase().includes(wanted))
}

/**
 * Creates (does not throw) the error for an unknown model, with similar names. Without a similar one it says where all
 * are listed.
 */
const unknownModel = (
  text: string,
  candidates: readonly Candidate[],
  { provider, used }: { readonly provider: string | undefined; readonly used: boolean | undefined },
): CairnError => {
  const nearest = nearestNames(
    text,
    candidates.map(({ model }) => model.id),
  )
  const where = used === true ? ' among those that were used' : provider === undefined ? '' : ` of ${provider}`
  const names = nearest.map((each) => neutraliseLine(each)).join(', ')
  return new CairnError(
    'usage',
    `There is no model '${text}'${where}. ${names === '' ? 'See: cairn models --all' : `Nearest: ${names}.`}`,
  )
}
