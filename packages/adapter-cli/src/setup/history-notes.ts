/** What agents delete by themselves, in sentences. */
import { checkAgents } from '@cairn/core/node/setup'
import type { AgentPlan } from '@cairn/core/node/setup'
import type { Context } from '../command.ts'
import { setupRequest } from './installation.ts'

/** Of the agents that a plan is about. */
export const historyNotes = (plans: readonly AgentPlan[], { surroundings }: Context): readonly string[] => {
  const names = new Set(plans.map(({ descriptor }) => descriptor.agent as string))
  return checkAgents(setupRequest(surroundings))
    .filter(({ agent }) => names.has(agent))
    .flatMap(({ name, historyDays, historySetting }) =>
      historyDays === null || historySetting === null
        ? []
        : [
            `${name} deletes its history after ${historyDays} days (${historySetting}); what Cairn has imported by then stays.`,
          ],
    )
}
