/** Runs a hook: reads the store for context, or makes sure that new data is imported. */
import { isAbsolute } from 'node:path'
import { hookOutput, parseHookInput } from '@cairn/core/hooks'
import type { HookAgent, HookEvent, HookInput } from '@cairn/core/hooks'
import type { Surroundings } from '@cairn/core/node'
import { readHookSettings } from './hook-settings.ts'
import type { HookSettings } from './hook-settings.ts'
import { markIncognito, readIncognitoFile } from './incognito-file.ts'
import { isSetIncognito } from './folder-facts.ts'

/** A hook as it was called. */
interface EventCall {
  readonly event: HookEvent
  readonly agent: HookAgent
  readonly store: string | undefined
  readonly isIncognito: boolean
}

/** What a hook prints, and what to do after it is printed. */
export interface HookAnswer {
  readonly output: string
  readonly onDelivered: (() => void) | undefined
}

const NO_ANSWER: HookAnswer = { output: '', onDelivered: undefined }

/** Events after which the transcript has new lines. */
const IMPORTS = new Set<HookEvent>(['pre-compact', 'post-compact', 'stop', 'session-end'])

/** Events at which a checkpoint is made, if the user wants that. */
const CHECKPOINTS = new Set<HookEvent>(['user-prompt-submit', 'stop'])

/**
 * Runs an agent's hook: marks a session that is incognito, of which nothing else is done; starts a checkpoint and
 * queues an import if the event has one and the settings want it; finds the context for the agent. Returns the text for
 * standard output, empty for most events. Rejects with an error worth logging. Nothing for an empty text, and where
 * hooks are off.
 */
export const answerHook = async (call: EventCall, text: string, around: Surroundings): Promise<HookAnswer> => {
  const input = parseHookInput(text)
  if (input === undefined) {
    if (text.trim() === '') return NO_ANSWER
    throw new Error('standard input is not what an agent sends')
  }
  // By a relative one data would be kept in whatever folder the agent works in.
  if (!isAbsolute(around.home) && (around.variables['CAIRN_HOME'] ?? '') === '')
    throw new Error(`the home folder is not known: HOME is '${around.home}'`)
  const surroundings = { ...around, folder: input.folder ?? around.folder }
  const settings = readHookSettings(surroundings, call.store)
  // Also where hooks are off: what is marked stays marked.
  if ((await isIncognito(call, input, settings, surroundings)) || !settings.isEnabled) return NO_ANSWER
  if (settings.makesCheckpoints) await keepFiles(call, input, surroundings)
  if (IMPORTS.has(call.event)) {
    if (settings.imports)
      (await import('./on-demand/queue-import.ts')).queueImport(
        {
          agent: call.agent,
          transcript: input.transcriptPath,
          folder: input.folder,
          isEnd: call.event === 'session-end',
        },
        surroundings,
      )
    return NO_ANSWER
  }
  return contextAnswer(call, input, settings, surroundings)
}

/**
 * Returns what the agent is given at an event that accepts context; empty if nothing is wanted or found. Rejects as the
 * store does.
 */
const contextAnswer = async (
  call: EventCall,
  input: HookInput,
  settings: HookSettings,
  surroundings: Surroundings,
): Promise<HookAnswer> => {
  const recalls = settings.recalls && input.prompt !== undefined
  const isWanted =
    call.event === 'session-start'
      ? settings.givesContext || settings.tellsSuggestions
      : recalls || settings.tellsChanges
  if (!isWanted) return NO_ANSWER
  const { contextText } = await import('./context-text.ts')
  const context = await contextText(call, input, { ...settings, recalls }, surroundings)
  const output = hookOutput(call.agent, call.event, context.text, context.notice)
  return output === '' ? NO_ANSWER : { output, onDelivered: context.onDelivered }
}

/**
 * At a prompt and at the end of a turn, starts a checkpoint of the project in a detached process and does not wait for
 * it. Does nothing at other events, or without a folder. Whether the user wants checkpoints is for the caller to check.
 */
const keepFiles = async (
  call: EventCall,
  { folder, sessionId }: HookInput,
  surroundings: Surroundings,
): Promise<void> => {
  if (!CHECKPOINTS.has(call.event) || folder === undefined) return
  const { startCheckpoint } = await import('./start-checkpoint.ts')
  startCheckpoint({ ...call, sessionId }, folder, surroundings)
}

/** Whether nothing of the session may be kept. A session that is declared incognito only now is marked permanently. */
const isIncognito = async (
  { agent, isIncognito: isGiven }: EventCall,
  { sessionId, isIncognito: isTold }: HookInput,
  settings: HookSettings,
  surroundings: Surroundings,
): Promise<boolean> => {
  const isNow = isGiven || isTold || settings.isIncognito || (await isSetIncognito(surroundings))
  if (sessionId === undefined) return isNow
  if (isNow) markIncognito(surroundings, { agent, session: sessionId })
  return isNow || readIncognitoFile(surroundings).has(agent, sessionId)
}
