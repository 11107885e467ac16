/** What is no path as a model is handed it: git, sessions, memory, and what an editor has. */
import type { GitAnswer } from '../../ports/git-facts.ts'
import type { Contribution } from './contribution.ts'
import { mentionedData, visibleName, visibleText } from './delimited.ts'
import { excerptOf } from './excerpt.ts'
import { DATA } from './file-contribution.ts'
import type { MentionTarget } from './mention.ts'
import type { EditorProblem, EditorSelection, MentionSources } from './mention-sources.ts'

type StoredTarget = Exclude<MentionTarget, { readonly kind: 'path' }>
type Found = Contribution | { readonly refused: string }

/** UTF-8 takes at most so many bytes per character. */
const BYTES_PER_CHARACTER = 4

/**
 * Returns the block for what git, a session, memory or the editor provides, cut to `maxCharacters`. Returns `refused`,
 * one sentence, if there is nothing to send. Rejects if a source does.
 */
export const storedContribution = async (
  target: StoredTarget,
  sources: MentionSources,
  maxCharacters: number,
): Promise<Found> => {
  const maxBytes = maxCharacters * BYTES_PER_CHARACTER
  switch (target.kind) {
    case 'git-diff':
      return ofGit('git diff', await sources.git.changes(maxBytes), maxCharacters)
    case 'git-branch':
      return ofGit('git branch', await sources.git.branch(maxBytes), maxCharacters)
    case 'git-commit':
      return ofGit(
        `git commit ${visibleName(target.revision)}`,
        await sources.git.commit(target.revision, maxBytes),
        maxCharacters,
      )
    case 'session':
      return ofSession(target.id, sources, maxCharacters)
    case 'memory':
      return ofMemory(sources)
    case 'problems':
      return ofProblems(sources.problems, maxCharacters)
    case 'selection':
      return ofSelections(sources.selections, maxCharacters)
  }
}

/** The block for what git printed; refused if git failed or nothing is changed. */
const ofGit = (name: string, answer: GitAnswer, maxCharacters: number): Found => {
  if ('refused' in answer) return { refused: `${name} is not sent: ${answer.refused}.` }
  if (answer.text.trim() === '') return { refused: `${name} is not sent: nothing is changed.` }
  return ofText({ name, text: answer.text }, name, maxCharacters, answer.isCut)
}

/** The block for a text, cut to `maxCharacters`. `isCut`: the source had more than it returned. */
const ofText = (
  { name, text }: { readonly name: string; readonly text: string },
  key: string,
  maxCharacters: number,
  isCut = false,
): Found => {
  const excerpt = excerptOf(visibleText(text), undefined, maxCharacters)
  if (excerpt === undefined) return { refused: `${name} is empty; nothing is sent.` }
  const leftOut =
    excerpt.leftOut ?? (isCut ? `all after line ${excerpt.totalLines.toLocaleString('en-US')}` : undefined)
  const rest = isCut && excerpt.leftOut !== undefined ? `${excerpt.leftOut}, and more behind them` : leftOut
  const head = `${visibleName(name)}. ${DATA}${rest === undefined ? '' : ` Left out for its length: ${rest}.`}`
  return {
    block: { type: 'text', text: mentionedData(head, excerpt.text) },
    name: visibleName(name),
    key,
    ...(rest === undefined ? {} : { leftOut: rest }),
  }
}

/** The block for the end of a session's text, which matters most; the beginning is left out if it is too long. */
const ofSession = async (
  id: string | undefined,
  { session }: MentionSources,
  maxCharacters: number,
): Promise<Found> => {
  const what = id === undefined ? 'The current session' : `The session ${visibleName(id)}`
  const found = await session?.(id)
  if (found === undefined) return { refused: `${what} is not in the store; nothing of it is sent.` }
  const lines = visibleText(found.text).split('\n')
  let length = 0
  let first = lines.length
  while (first > 0 && length + (lines[first - 1] ?? '').length < maxCharacters) {
    first -= 1
    length += (lines[first] ?? '').length + 1
  }
  const leftOut =
    first === 0
      ? undefined
      : `the first ${first.toLocaleString('en-US')} of ${lines.length.toLocaleString('en-US')} lines`
  const name = `session ${visibleName(found.name)}`
  const head = `${name}. ${DATA}${leftOut === undefined ? '' : ` Left out for its length: ${leftOut}.`}`
  return {
    block: { type: 'text', text: mentionedData(head, lines.slice(first).join('\n')) },
    name,
    key: `session ${found.name}`,
    ...(leftOut === undefined ? {} : { leftOut }),
  }
}

/** The block for long-term memory, whose section comes delimited, escaped and limited in length. */
const ofMemory = async ({ memory }: MentionSources): Promise<Found> => {
  const text = await memory?.()
  return text === undefined || text === ''
    ? { refused: 'Nothing is remembered of this workspace; nothing is sent.' }
    : { block: { type: 'text', text }, name: 'memory', key: 'memory' }
}

/** The block for the editor's problems, one per line; refused outside of an editor and if there are none. */
const ofProblems = (problems: readonly EditorProblem[] | undefined, maxCharacters: number): Found => {
  if (problems === undefined)
    return { refused: '@problems needs an editor: nothing here knows of problems, and nothing is sent.' }
  if (problems.length === 0) return { refused: 'The editor has no problems; nothing is sent.' }
  const lines = problems.map(
    ({ path, line, severity, message }) => `${path}:${line} ${severity}: ${visibleName(message)}`,
  )
  return ofText({ name: 'problems', text: lines.join('\n') }, 'problems', maxCharacters)
}

/** The block for the editor's selections; refused outside of an editor and if nothing is selected. */
const ofSelections = (selections: readonly EditorSelection[] | undefined, maxCharacters: number): Found => {
  if (selections === undefined)
    return { refused: '@selection needs an editor: nothing is selected here, and nothing is sent.' }
  if (selections.length === 0) return { refused: 'Nothing is selected in the editor; nothing is sent.' }
  const text = selections
    .map(({ path, lines: { first, last }, text: selected }) => `${path}:${first}-${last}\n${selected}`)
    .join('\n\n')
  return ofText({ name: 'selection', text }, 'selection', maxCharacters)
}
