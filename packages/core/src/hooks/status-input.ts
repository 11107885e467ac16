/**
 * Parses what an agent sends to its status line on standard input. Claude Code and Copilot CLI send the same facts
 * under differently formatted names; any of them may be missing or null, and at a session's start most are.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'

interface CacheState {
  readonly isWarm: boolean
  /** ms since the epoch. */
  readonly expiresAt?: number
  readonly misses: number
}

/** A limit of a subscription: the used share in percent. */
interface RateLimit {
  readonly name: string
  readonly usedPercent: number
}

export interface StatusInput {
  readonly sessionId?: string
  readonly folder?: string
  readonly model?: string
  /** 0 to 100. */
  readonly contextPercent?: number
  readonly contextWindow?: number
  /** USD, as calculated by the agent. */
  readonly costUsd?: number
  readonly durationMs?: number
  readonly cache?: CacheState
  readonly limits: readonly RateLimit[]
}

/** `used_percentage` and `usedPercentage` become the same name. */
const plainName = (name: string): string => name.replaceAll('_', '').toLowerCase()

/** The value at a path of names joined by dots, in either format of names; undefined if there is none. */
const at = (value: JsonValue | undefined, path: string): JsonValue | undefined =>
  path.split('.').reduce<JsonValue | undefined>((inner, name) => {
    if (!isJsonObject(inner)) return undefined
    const key = Object.keys(inner).find((candidate) => plainName(candidate) === plainName(name))
    return key === undefined ? undefined : inner[key]
  }, value)

/** The first accepted value among the paths; undefined if there is none. A path's parts are joined by dots. */
const first = <T>(
  input: JsonObject,
  paths: readonly string[],
  accept: (value: JsonValue | undefined) => T | undefined,
) => {
  for (const path of paths) {
    const found = accept(at(input, path))
    if (found !== undefined) return found
  }
  return undefined
}

const asText = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** Numbers below 0 are meaningless here. */
const asAmount = (value: JsonValue | undefined): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

/** An amount above 0; undefined for anything else. */
const asSize = (value: JsonValue | undefined): number | undefined => asAmount(value) || undefined

const LAST_SECONDS = 1e11

/**
 * Seconds, ms or an ISO text, converted to ms; undefined for anything else, and for 0. Numbers below `LAST_SECONDS` are
 * seconds.
 */
const asTime = (value: JsonValue | undefined): number | undefined => {
  if (typeof value === 'string') {
    const time = Date.parse(value)
    return Number.isNaN(time) ? undefined : time
  }
  const amount = asAmount(value)
  return amount === undefined || amount === 0 ? undefined : amount < LAST_SECONDS ? amount * 1000 : amount
}

/** An object with the property, or an empty one when the value is undefined. */
const present = <K extends string, T>(key: K, value: T | undefined): { readonly [P in K]?: T } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: T })

/**
 * How full the context is, in percent, at most 100: the share that is told, else the input tokens of the usage in the
 * window. Undefined if neither is given.
 */
const contextPercent = (input: JsonObject, window: number | undefined): number | undefined => {
  const told = asAmount(at(input, 'context_window.used_percentage'))
  if (told !== undefined) return Math.min(100, told)
  const usage = at(input, 'context_window.current_usage')
  if (!isJsonObject(usage) || window === undefined) return undefined
  const used = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'].reduce(
    (sum, name) => sum + (asAmount(at(usage, name)) ?? 0),
    0,
  )
  return Math.min(100, (100 * used) / window)
}

/** The state of the prompt cache, misses 0 where they are not told; undefined if it does not say whether it is warm. */
const cacheIn = (input: JsonObject): CacheState | undefined => {
  const cache = at(input, 'prompt_cache')
  if (!isJsonObject(cache)) return undefined
  const warm = at(cache, 'warm')
  if (typeof warm !== 'boolean') return undefined
  return {
    isWarm: warm,
    misses: asAmount(at(cache, 'misses')) ?? 0,
    ...present('expiresAt', asTime(at(cache, 'expires_at'))),
  }
}

const RATE_LIMITS: readonly (readonly [path: string, name: string])[] = [
  ['rate_limits.five_hour', '5h'],
  ['rate_limits.seven_day', '7d'],
]

/** The used share of each rate limit, in percent; missing limits are left out. */
const limitsIn = (input: JsonObject): readonly RateLimit[] =>
  RATE_LIMITS.flatMap(([path, name]) => {
    const usedPercent = asAmount(at(input, `${path}.used_percentage`)) ?? asAmount(at(input, `${path}.used_percent`))
    return usedPercent === undefined ? [] : [{ name, usedPercent }]
  })

/**
 * Parses an agent's input to its status line. Never throws; input that is not a JSON object gives no facts. Fields that
 * are missing or of an unexpected type are left out.
 */
export const parseStatusInput = (text: string): StatusInput => {
  let input: unknown
  try {
    input = JSON.parse(text)
  } catch {
    return { limits: [] }
  }
  if (!isJsonObject(input)) return { limits: [] }
  const window = first(input, ['context_window.context_window_size', 'context_window.size'], asSize)
  return {
    ...present('sessionId', first(input, ['session_id'], asText)),
    ...present('folder', first(input, ['workspace.project_dir', 'workspace.current_dir', 'cwd'], asText)),
    ...present('model', first(input, ['model.display_name', 'model.id', 'model'], asText)),
    ...present('contextWindow', window),
    ...present('contextPercent', contextPercent(input, window)),
    ...present('costUsd', first(input, ['cost.total_cost_usd'], asAmount)),
    ...present('durationMs', first(input, ['cost.total_duration_ms'], asAmount)),
    ...present('cache', cacheIn(input)),
    limits: limitsIn(input),
  }
}
