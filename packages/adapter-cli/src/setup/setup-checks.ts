/** What the doctor says of agents: wired to Cairn or not, and what keeps that from working. */
import { checkAgents } from '@cairn/core/node/setup'
import type { AgentCheck, FileCheck } from '@cairn/core/node/setup'
import type { Surroundings } from '../config/locations.ts'
import { setupRequest } from './installation.ts'

/** Of the agents that are found on this machine. */
export const checkedAgents = (surroundings: Surroundings): readonly AgentCheck[] =>
  checkAgents(setupRequest(surroundings))

const STATES: Readonly<Record<AgentCheck['state'], string>> = {
  'set-up': 'set up',
  partly: 'set up in part',
  'not-set-up': 'not set up',
}

const fileSentence = (agent: string, { path, state, reason }: FileCheck): string | undefined => {
  if (state === 'unreadable') return `${path}: ${reason ?? 'it could not be read'}.`
  if (state === 'changed')
    return `${path} is not as setup left it; cairn setup ${agent} adds what is missing and renews the rest.`
  return state === 'outdated' ? `${path} starts another installation; cairn setup ${agent} renews it.` : undefined
}

/** A line or more for each agent; only the first names it. */
export const setupSentences = (
  checks: readonly AgentCheck[],
): readonly { readonly name: string; readonly sentence: string }[] =>
  checks.flatMap(({ agent, name, state, files, untrusted, historyDays, historySetting }) => {
    const sentences = [
      state === 'not-set-up' ? `${STATES[state]}: cairn setup ${agent}` : `${STATES[state]}.`,
      ...files.map((file) => fileSentence(agent, file)),
      untrusted.length > 0
        ? `It skips hooks that are not trusted (${untrusted.join(', ')}): type /hooks in ${name} and trust them.`
        : undefined,
      historyDays !== null && historySetting !== null
        ? `It deletes histories after ${historyDays} days (${historySetting}).`
        : undefined,
    ]
    return sentences
      .filter((each) => each !== undefined)
      .map((sentence, index) => ({ name: index === 0 ? name : '', sentence }))
  })
