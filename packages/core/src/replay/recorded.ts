/**
 * What the recorded agent itself did to its context, played as a policy: its compactions with their summaries, its
 * truncations and edits, each where the log has it. The sizes are estimated and the cache is simulated as for every
 * other policy, so that these can be compared with it.
 */
import type { Policy } from '../context/policy.ts'
import { POLICY_NAMES, policyOf, type PolicyName } from '../context/policies/registry.ts'
import type { Trajectory } from './trajectory.ts'

export const RECORDED = 'recorded'
export type ReplayPolicyName = PolicyName | typeof RECORDED
export const REPLAY_POLICY_NAMES: readonly ReplayPolicyName[] = [...POLICY_NAMES, RECORDED]

/** Decides nothing: all decisions are in the log. The agent kept the window, or did not. */
const recordedPolicy: Policy = { name: RECORDED, keepsWindow: false, start: () => ({ decide: () => undefined }) }

/** A policy with the log that it is to be given; both go into a replay. */
export interface ReplayedPolicy {
  readonly policy: Policy
  readonly trajectory: Trajectory
}

/**
 * What replays a session under the policy of a name; the preset is the default policy's.
 * @throws CairnError `usage` for names that nobody knows.
 */
export const replayedPolicy = (name: string, trajectory: Trajectory, preset?: string): ReplayedPolicy =>
  name === RECORDED
    ? {
        policy: recordedPolicy,
        trajectory: {
          ...trajectory,
          turns: trajectory.turns.map((turn) => ({ ...turn, before: turn.recorded })),
        },
      }
    : { policy: policyOf(name, preset), trajectory }

/**
 * The names of the policies that a session is replayed under where none is chosen: what its agent did only where it did
 * something.
 */
export const defaultReplayPolicies = ({
  recordedChanges,
}: Pick<Trajectory, 'recordedChanges'>): readonly ReplayPolicyName[] =>
  recordedChanges > 0 ? REPLAY_POLICY_NAMES : POLICY_NAMES
