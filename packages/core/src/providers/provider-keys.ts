/** Finds the key of a provider: in the environment, else among the stored secrets, where it has the provider's name. */
import type { Secrets, StoredSecret } from '../ports/secrets.ts'
import { PROVIDERS } from './registry.ts'

/** Where a key is. */
export type KeyLocation =
  { readonly from: 'environment'; readonly variable: string } | { readonly from: StoredSecret['keptIn'] }

/** For a provider that can be asked, whether there is a key. */
export interface ProviderKey {
  /** Of the provider in usage and prices, and of its key among the secrets: `anthropic`. */
  readonly name: string
  /** What people call the provider. */
  readonly title: string
  /** Variables that may hold the key, the usual one first. */
  readonly variables: readonly string[]
  /** False for servers on the user's own machine, which may do without. */
  readonly isNeeded: boolean
  readonly found: KeyLocation | null
}

type Environment = Readonly<Record<string, string | undefined>>

const isSet = (value: string | undefined): value is string => value !== undefined && value.trim() !== ''

/** The first of the variables that is set, by its name; undefined where none is. */
const variableIn = (environment: Environment, variables: readonly string[]): string | undefined =>
  variables.find((name) => isSet(environment[name]))

/** The name under which a provider of {@link PROVIDERS} keeps its key; that of another is its own. */
const secretOf = (provider: string): string => PROVIDERS[provider]?.provider ?? provider

/**
 * For each provider, local servers too, in the order of {@link PROVIDERS}: where its key was found, null for nowhere. A
 * variable that is not blank comes before a stored key. The keys themselves are not read. Of providers that share a key
 * only the one it is named after is listed (`openai`, not `openai-chat`).
 * @param stored as `Secrets.list` gives it
 */
export const providerKeys = (environment: Environment, stored: readonly StoredSecret[]): readonly ProviderKey[] =>
  Object.entries(PROVIDERS)
    .filter(([provider]) => secretOf(provider) === provider)
    .map(([name, { title, keyNames }]) => ({
      name,
      title,
      variables: keyNames,
      isNeeded: keyNames.length > 0,
      found: locationOf(variableIn(environment, keyNames), stored.find((secret) => secret.name === name)?.keptIn),
    }))

/** Where a key is found: the environment before what is kept; null for nowhere. */
const locationOf = (variable: string | undefined, keptIn: StoredSecret['keptIn'] | undefined): KeyLocation | null => {
  if (variable !== undefined) return { from: 'environment', variable }
  return keptIn === undefined ? null : { from: keptIn }
}

/**
 * The name of the secret that a person means: the provider's, in any case, or one of its variables, with or without
 * `_API_KEY` (`gemini`). Undefined for what is none of them.
 */
export const secretNameOf = (text: string): string | undefined => {
  const written = text.trim().toLowerCase()
  if (Object.hasOwn(PROVIDERS, written)) return secretOf(written)
  const variable = written.replaceAll('-', '_').toUpperCase()
  const found = Object.entries(PROVIDERS).find(([, { keyNames }]) =>
    keyNames.some((name) => variable === name || variable === name.replace(/_API_KEY$/, '')),
  )
  return found === undefined ? undefined : secretOf(found[0])
}

export interface FoundKey {
  readonly value: string
  /** Where it was found, for sentences: `ANTHROPIC_API_KEY`, or the command that sets it. */
  readonly keyName: string
}

/**
 * The key of a provider, trimmed if from the environment, and what it is called for people; undefined where there is
 * none. A variable that is not blank wins. A name that {@link PROVIDERS} does not have is only looked up among the
 * secrets.
 * @param secrets asked only when the environment has none
 * @throws CairnError where one is stored and can't be read
 */
export const findProviderKey = async (
  provider: string,
  environment: Environment,
  secrets: () => Promise<Pick<Secrets, 'get'>>,
): Promise<FoundKey | undefined> => {
  const variable = variableIn(environment, PROVIDERS[provider]?.keyNames ?? [])
  if (variable !== undefined) return { value: environment[variable]?.trim() ?? '', keyName: variable }
  const name = secretOf(provider)
  const value = await (await secrets()).get(name)
  return value === undefined ? undefined : { value, keyName: `the stored key (cairn secret set ${name})` }
}
