/** The policy and window that a session is replayed with, kept in the page's address. */
import type { CacheAwarePreset, ReplayPolicyName } from '@cairn/core'

/** Cairn's own first. */
export const POLICIES = [
  'cache-aware',
  'recorded',
  'cline',
  'clio',
  'none',
] as const satisfies readonly ReplayPolicyName[]
/** The presets of the policy `cache-aware`. */
export const PRESETS = ['safe', 'quality', 'lean'] as const satisfies readonly CacheAwarePreset[]
/** Tokens; `model` is the window of the session's own model. */
export const WINDOW_TOKENS = {
  model: undefined,
  '64k': 64_000,
  '128k': 128_000,
  '200k': 200_000,
  '1m': 1_000_000,
} as const
/** The name of a window. */
export type WindowName = keyof typeof WINDOW_TOKENS
/** The windows in the order of the list. */
export const WINDOW_NAMES = ['model', '64k', '128k', '200k', '1m'] as const satisfies readonly WindowName[]

/** What a session is replayed under. */
export interface ReplayChoice {
  readonly policy: ReplayPolicyName
  /** Of the policy `cache-aware`; others have none. */
  readonly preset: CacheAwarePreset
  readonly window: WindowName
}

/** What is replayed if the address names nothing else. */
export const DEFAULT_CHOICE: ReplayChoice = { policy: 'cache-aware', preset: 'safe', window: 'model' }

/** What the page's address asks for. */
export interface ReplayAddress {
  /** Undefined: nobody asked for a replay. */
  readonly choice: ReplayChoice | undefined
  /** The request whose removals are shown, from 1. */
  readonly rewrite: number | undefined
  /** What the address names and there is not, in sentences. */
  readonly mistakes: readonly string[]
}

/**
 * Returns what the page's address asks for, names in any case. A wrong name counts as the default, with a sentence in
 * `mistakes`; a wrong `rewrite` as none, without one. `choice` is undefined if no policy is named: the panel is folded
 * then, and nothing else is read.
 */
export const readReplayAddress = (parameters: Pick<URLSearchParams, 'get'>): ReplayAddress => {
  const mistakes: string[] = []
  const oneOf = <Name extends string>(what: string, names: readonly Name[], fallback: Name): Name => {
    const text = parameters.get(what)
    if (text === null) return fallback
    const found = names.find((name) => name === text.toLowerCase())
    if (found === undefined) mistakes.push(`There is no ${what} “${text.slice(0, 60)}”; there are ${names.join(', ')}.`)
    return found ?? fallback
  }
  if (parameters.get('policy') === null) return { choice: undefined, rewrite: undefined, mistakes }
  const choice = {
    policy: oneOf('policy', POLICIES, DEFAULT_CHOICE.policy),
    preset: oneOf('preset', PRESETS, DEFAULT_CHOICE.preset),
    window: oneOf('window', WINDOW_NAMES, DEFAULT_CHOICE.window),
  }
  const rewrite = Number(parameters.get('rewrite') ?? Number.NaN)
  return { choice, rewrite: Number.isInteger(rewrite) && rewrite > 0 ? rewrite : undefined, mistakes }
}

/**
 * Returns the parameters of the address for a choice; undefined ones have their default. The policy is always there, as
 * it opens the panel.
 */
export const writeReplayChoice = ({
  policy,
  preset,
  window,
}: ReplayChoice): Readonly<Record<'policy' | 'preset' | 'window', string | undefined>> => ({
  policy,
  preset: policy !== 'cache-aware' || preset === DEFAULT_CHOICE.preset ? undefined : preset,
  window: window === DEFAULT_CHOICE.window ? undefined : window,
})
