/**
 * Splits the settings of Cline and CLIO into those with a counterpart here, secrets, favourite tasks, and the rest.
 * Pure: stores nothing and does not change the file.
 */
import { CairnError } from '../errors.ts'
import { isJsonObject } from '../json.ts'
import type { JsonValue } from '../json.ts'
import { clineSettings } from './legacy-cline.ts'
import { clioSettings } from './legacy-clio.ts'
import type { LegacySettings } from './legacy-parts.ts'

const CLINE =
  /^(?:plan|act|previous)Mode|ClineRulesToggles$|^(?:autoApprovalSettings|taskHistory|apiProvider|apiModelId|clineVersion|welcomeViewCompleted|focusChainSettings|preferredLanguage|apiKey|openRouterApiKey|openAiApiKey|openAiNativeApiKey|geminiApiKey|localCursorRulesToggles|localWindsurfRulesToggles|workflowToggles)$/
const CLIO =
  /^(?:api_keys?|api_bases?|redact_level|security_level|session_prune_days|search_provider|serpapi_key|terminal_passthrough|thinking_effort)$/

/** A name whose value is a secret, whatever it looks like. */
const SECRET_NAME = /(?:api_?keys?|token|secret|password|passphrase|credential|(?:^|_)pat|headers|nonce)$/i

/** Maximum depth of what is set aside; a settings file is never deeper. */
const DEEPEST = 32

/**
 * Splits a parsed settings file: settings with a counterpart here, `aside` (everything else, without secrets), and
 * `leftSecrets` (names of secrets that are in neither). Stores nothing.
 * @param isSecret whether a text looks like a secret
 * @throws CairnError `invalid-input` if the content is not the settings of Cline or CLIO
 */
export const legacySettings = (content: JsonValue, isSecret: (text: string) => boolean): LegacySettings => {
  const isHistory =
    Array.isArray(content) &&
    content.length > 0 &&
    content.every((task) => isJsonObject(task) && typeof task.id === 'string' && 'task' in task)
  const values = isHistory ? { taskHistory: content } : content
  if (!isJsonObject(values)) throw notKnown()
  const names = Object.keys(values)
  const system = names.some((name) => CLINE.test(name))
    ? 'cline'
    : names.some((name) => CLIO.test(name))
      ? 'clio'
      : undefined
  if (system === undefined) throw notKnown()
  const understood = system === 'cline' ? clineSettings(values) : clioSettings(values)
  const aside: Record<string, JsonValue> = {}
  const leftSecrets: string[] = []
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    const search: Search = {
      name,
      isSecret,
      dealt: understood.names,
      left: leftSecrets,
      depth: 0,
      isNamedSecret: false,
    }
    const kept = withoutSecrets(value, search)
    // As a name of an object it would be lost silently.
    if (kept !== undefined) Object.defineProperty(aside, name, { value: kept, enumerable: true, configurable: true })
  }
  const { settings, secrets, favourites } = understood
  return { system, settings, secrets, favourites, aside, leftSecrets }
}

/** The error for a file that is no settings file. */
const notKnown = (): CairnError =>
  new CairnError(
    'invalid-input',
    "This is not a settings file that is known: Cline's global state, workspace state, secrets or task history as JSON, or CLIO's config.json. Nothing was changed.",
  )

interface Search {
  /** The position of the value, for people. */
  readonly name: string
  readonly isSecret: (text: string) => boolean
  /** Names that were understood. */
  readonly dealt: ReadonlySet<string>
  /** Receives the names of what is left out. */
  readonly left: string[]
  readonly depth: number
  /** Whether the value is inside a field whose values are secrets. */
  readonly isNamedSecret: boolean
}

/**
 * A value without its secrets and without what was understood; undefined if nothing is left. Throws `invalid-input` if
 * it is nested too deeply. Names of what was a secret are added to `left`.
 */
const withoutSecrets = (value: JsonValue, search: Search): JsonValue | undefined => {
  const { name, dealt, left, depth } = search
  if (dealt.has(name)) return undefined
  if (depth > DEEPEST)
    throw new CairnError(
      'invalid-input',
      `${name.slice(0, 100)} is nested too deeply for settings; nothing was changed.`,
    )
  const isNamedSecret = search.isNamedSecret || SECRET_NAME.test(name)
  if (typeof value === 'string') {
    if (value === '' || !(isNamedSecret || search.isSecret(value))) return value
    left.push(name)
    return undefined
  }
  if (typeof value !== 'object' || value === null) return value
  const inside = Object.entries(value).flatMap(([key, each]: readonly [string, JsonValue | undefined]) => {
    const deeper = { ...search, name: `${name}.${key}`, depth: depth + 1, isNamedSecret }
    const kept = each === undefined ? undefined : withoutSecrets(each, deeper)
    return kept === undefined ? [] : [[key, kept] as const]
  })
  if (Array.isArray(value)) return inside.map(([, kept]) => kept)
  return isNamedSecret && inside.length === 0 ? undefined : Object.fromEntries(inside)
}
