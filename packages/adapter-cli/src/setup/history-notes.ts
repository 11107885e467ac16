/** What agents do by themselves that is to be known beside a setup, in sentences. */
import { checkAgents } from '@cairn/core/node/setup'
import type { AgentCheck, AgentPlan } from '@cairn/core/node/setup'
import type { Context } from '../command.ts'
import { setupRequest } from './installation.ts'
import { obstacles } from './setup-checks.ts'

/** Returns the current state of the agents that plans are about. */
const checksOf = (plans: readonly AgentPlan[], { surroundings }: Context): readonly AgentCheck[] => {
  const names = new Set(plans.map(({ descriptor }) => descriptor.agent as string))
  return checkAgents(setupRequest(surroundings)).filter(({ agent }) => names.has(agent))
}

/**
 * Returns sentences about what keeps hooks of these agents from running as they should, in the order of the plans;
 * empty if nothing does.
 */
export const obstacleNotes = (plans: readonly AgentPlan[], context: Context): readonly string[] =>
  checksOf(plans, context).flatMap(obstacles)

/** Returns sentences about agents that delete their own history after some days; empty if none does. */
export const historyNotes = (plans: readonly AgentPlan[], context: Context): readonly string[] =>
  checksOf(plans, context).flatMap(({ name, historyDays, historySetting }) =>
    historyDays === null || historySetting === null
      ? []
      : [
          `${name} deletes its history after ${historyDays} days (${historySetting}); what Cairn has imported by then stays.`,
        ],
  )
