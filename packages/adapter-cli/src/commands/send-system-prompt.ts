/**
 * The system prompt of `cairn context send`: what the model has to know, the project's rules, and the configured
 * language.
 */
import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Engine, SessionSummary } from '@cairn/core'
import type { Context } from '../command.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

const TASK =
  'The conversation so far is a recorded session of a coding agent. You have no tools: answer the newest message in text, from what the session holds. If it does not hold the answer, say so.'

/** A system prompt, and the rules in it. */
export interface SystemPrompt {
  readonly text: string
  /** Ids of the rules files that are in it. */
  readonly rules: readonly string[]
}

/** Whether a session's project is a folder on this machine; false for null. */
export const isFolderHere = (workspace: string | null): workspace is string =>
  workspace !== null && isAbsolute(workspace) && existsSync(workspace)

/**
 * Returns the system prompt. It stays the same for all sessions of a project and a language until the rules files
 * change, so that the provider's cache keeps it. Rules that can't be read or don't fit are reported on standard error.
 * Rules only for a project that is on this machine.
 */
export const systemPrompt = async (
  { id, workspace }: SessionSummary,
  options: { readonly rules: boolean },
  engine: Engine,
  context: Context,
): Promise<SystemPrompt> => {
  const { value } = await engine.settings.get('language', { workspace: workspace ?? undefined, sessionId: id })
  const language = typeof value === 'string' ? ` Answer in this language: ${value}.` : ''
  const { text, ids } =
    options.rules && isFolderHere(workspace) ? await rulesOf(workspace, engine, context) : { text: '', ids: [] }
  return { text: `${TASK}${language}${text === '' ? '' : `\n\n${text}`}`, rules: ids }
}

/**
 * Returns the rules that apply to all files of the project, and reports those that can't be read or don't fit on
 * standard error.
 */
const rulesOf = async (
  workspace: string,
  engine: Engine,
  { surroundings, terminal }: Context,
): ReturnType<Engine['rules']['section']> => {
  const { createWorkspaceFiles } = await import('@cairn/core/node/sources')
  const files = createWorkspaceFiles([workspace])
  const section = await engine.rules.section({ workspace, home: surroundings.home, files })
  const notes = [
    ...section.problems,
    ...(section.leftOut.length === 0 ? [] : [`Rules files that did not fit: ${section.leftOut.join(', ')}.`]),
  ]
  for (const note of notes) terminal.note(neutraliseLine(note))
  return section
}
