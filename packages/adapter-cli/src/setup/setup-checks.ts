/** What the doctor says of agents: wired to Cairn or not, and what keeps that from working. */
import { checkAgents } from '@cairn/core/node/setup'
import type { AgentCheck, FileCheck } from '@cairn/core/node/setup'
import type { Surroundings } from '../config/locations.ts'
import { setupRequest } from './installation.ts'

/** Returns how Cairn is connected to each agent found on this machine; nothing is changed. Empty if none is found. */
export const checkedAgents = (surroundings: Surroundings): readonly AgentCheck[] =>
  checkAgents(setupRequest(surroundings))

const STATES: Readonly<Record<AgentCheck['state'], string>> = {
  'set-up': 'set up',
  partly: 'set up in part',
  'not-set-up': 'not set up',
}

/** Returns what is wrong with a file of setup, only the first thing that is; undefined if nothing is. */
const fileSentence = (agent: string, { path, state, reason, isForOtherFolder }: FileCheck): string | undefined => {
  if (state === 'unreadable') return `${path}: ${reason ?? 'it could not be read'}.`
  if (state === 'changed')
    return `${path} is not as setup left it; cairn setup ${agent} adds what is missing and renews the rest.`
  if (state === 'outdated') return `${path} starts another installation; cairn setup ${agent} renews it.`
  return isForOtherFolder
    ? `${path} names another data folder (CAIRN_HOME) than this command uses, so that memory and sessions of ${agent} are not those here.`
    : undefined
}

/** Returns whether an agent is set up, and how to do it if not. */
const stateSentence = ({ agent, state, isPlugin }: Pick<AgentCheck, 'agent' | 'state' | 'isPlugin'>): string => {
  if (state !== 'not-set-up') return `${STATES[state]}.`
  return isPlugin ? 'set up by its plugin.' : `${STATES[state]}: cairn setup ${agent}`
}

/** Returns sentences about what keeps an agent's hooks from running as they should; empty if nothing does. */
export const obstacles = ({
  agent,
  name,
  state,
  hooksOff,
  isPlugin,
}: Pick<AgentCheck, 'agent' | 'name' | 'state' | 'hooksOff' | 'isPlugin'>): readonly string[] => [
  ...(hooksOff === null ? [] : [`${name} runs no hooks: ${hooksOff} switches them off.`]),
  ...(isPlugin && state !== 'not-set-up'
    ? [
        `The plugin cairn is active in ${name}, too, so that everything runs twice: switch it off there (/plugin), or run: cairn setup ${agent} --remove`,
      ]
    : []),
]

/**
 * Returns sentences on how Cairn is connected to each agent, in the order of `checks`. Only the first sentence of an
 * agent has its name; `name` is empty for the others.
 */
export const setupSentences = (
  checks: readonly AgentCheck[],
): readonly { readonly name: string; readonly sentence: string }[] =>
  checks.flatMap(({ agent, name, state, files, untrusted, hooksOff, isPlugin, historyDays, historySetting }) => {
    const sentences = [
      stateSentence({ agent, state, isPlugin }),
      ...files.map((file) => fileSentence(agent, file)),
      ...obstacles({ agent, name, state, hooksOff, isPlugin }),
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
