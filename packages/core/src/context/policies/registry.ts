/** The policies by the names that users give them. */
import { CairnError } from '../../errors.ts'
import type { Policy } from '../policy.ts'
import { cacheAwarePolicy } from './cache-aware/policy.ts'
import { CACHE_AWARE_PRESETS, type CacheAwarePreset } from './cache-aware/settings.ts'
import { clinePolicy } from './cline/policy.ts'
import { clioPolicy } from './clio/policy.ts'
import { nonePolicy } from './none.ts'

export type PolicyName = 'none' | 'cline' | 'clio' | 'cache-aware'

const POLICIES: Readonly<Record<PolicyName, (preset: CacheAwarePreset) => Policy>> = {
  none: () => nonePolicy,
  cline: () => clinePolicy(),
  clio: () => clioPolicy(),
  'cache-aware': (preset) => cacheAwarePolicy(preset),
}

export const POLICY_NAMES = Object.keys(POLICIES) as readonly PolicyName[]
export const PRESET_NAMES = Object.keys(CACHE_AWARE_PRESETS) as readonly CacheAwarePreset[]

/**
 * The policy of a name.
 * @param preset of the policy `cache-aware`; the others do not use it, but it must be known for them, too
 * @throws CairnError `usage` for a policy or a preset that nobody knows.
 */
export const policyOf = (name: string, preset = 'safe'): Policy => {
  const make = POLICY_NAMES.find((known) => known === name)
  const chosen = PRESET_NAMES.find((known) => known === preset)
  if (make === undefined)
    throw new CairnError('usage', `There is no policy "${name}"; there are ${POLICY_NAMES.join(', ')}.`)
  if (chosen === undefined)
    throw new CairnError('usage', `There is no preset "${preset}"; there are ${PRESET_NAMES.join(', ')}.`)
  return POLICIES[make](chosen)
}
