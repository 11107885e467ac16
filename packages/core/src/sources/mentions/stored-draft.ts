/** What is no path as a model is handed it: git, sessions, memory, and what an editor has. */
import type { GitAnswer } from '../../ports/git-facts.ts'
import type { Contribution, Draft, Refusal } from './contribution.ts'
import { mentionedData, visibleName, visibleText } from './delimited.ts'
import { excerptOf } from './excerpt.ts'
import { DATA } from './file-draft.ts'
import type { MentionTarget } from './mention.ts'
import type { EditorProblem, EditorSelection, MentionSources, NamedText } from './mention-sources.ts'

type StoredTarget = Exclude<MentionTarget, { readonly kind: 'path' }>
type Found = Draft | Refusal

/** UTF-8 takes at most so many bytes per character. */
const BYTES_PER_CHARACTER = 4

/**
 * Returns the draft of what git, a session, memory or the editor provides. Returns `refused`, one sentence, if there is
 * nothing to send. Rejects if a source does.
 * @param maxCharacters no more is asked for
 */
export const storedDraft = async (
  target: StoredTarget,
  sources: MentionSources,
  maxCharacters: number,
): Promise<Found> => {
  const maxBytes = maxCharacters * BYTES_PER_CHARACTER
  switch (target.kind) {
    case 'git-diff':
      return ofGit('git diff', await sources.git.changes(maxBytes))
    case 'git-branch':
      return ofGit('git branch', await sources.git.branch(maxBytes))
    case 'git-commit':
      return ofGit(`git commit ${visibleName(target.revision)}`, await sources.git.commit(target.revision, maxBytes))
    case 'session':
      return ofSession(target.id, sources)
    case 'memory':
      return ofMemory(sources)
    case 'problems':
      return ofProblems(sources.problems)
    case 'selection':
      return ofSelections(sources.selections)
  }
}

/** The draft of what git printed; refused if git failed or nothing is changed. */
const ofGit = (name: string, answer: GitAnswer): Found => {
  if ('refused' in answer) return { refused: `${name} is not sent: ${answer.refused}.` }
  if (answer.text.trim() === '') return { refused: `${name} is not sent: nothing is changed.` }
  return ofText({ name, text: answer.text }, name, answer.isCut)
}

/** The draft of a text. `isCut`: the source had more than it returned. The beginning of it if it is too long. */
const ofText = ({ name: given, text: foreign }: NamedText, key: string, isCut = false): Draft => {
  const text = visibleText(foreign)
  const name = visibleName(given)
  return {
    key,
    name,
    cut: (maxCharacters) => {
      const excerpt = excerptOf(text, undefined, maxCharacters)
      const { leftOut } = excerpt ?? {}
      const lines = (excerpt?.totalLines ?? 0).toLocaleString('en-US')
      const rest = !isCut
        ? leftOut
        : leftOut === undefined
          ? `all after line ${lines}`
          : `${leftOut}, and more behind them`
      return textContribution(name, excerpt?.text ?? '', rest)
    },
  }
}

/** The block for a text under its name, in tags; `leftOut`: what of it is not in there. */
const textContribution = (name: string, text: string, leftOut: string | undefined): Contribution => {
  const head = `${name}. ${DATA}${leftOut === undefined ? '' : ` Left out for its length: ${leftOut}.`}`
  return {
    block: { type: 'text', text: mentionedData(head, text) },
    characters: text.length,
    ...(leftOut === undefined ? {} : { leftOut }),
  }
}

/**
 * The draft of a session's text, whose end matters most: the beginning is left out if it is too long. Without an id of
 * the current one; refused if it is not in the store.
 */
const ofSession = async (id: string | undefined, { session }: MentionSources): Promise<Found> => {
  const found = await session?.(id)
  if (found === undefined) {
    const what = id === undefined ? 'The current session' : `The session ${visibleName(id)}`
    return { refused: `${what} is not in the store; nothing of it is sent.` }
  }
  if ('refused' in found) return found
  const name = `session ${visibleName(found.name)}`
  const lines = visibleText(found.text).split('\n')
  return {
    key: `session ${found.name}`,
    name,
    cut: (maxCharacters) => {
      const { text, leftOut } = endOf(lines, maxCharacters)
      return textContribution(name, text, leftOut)
    },
  }
}

/** The last lines that fit into `maxCharacters`; if not even the last one does, its end. */
const endOf = (
  lines: readonly string[],
  maxCharacters: number,
): { readonly text: string; readonly leftOut?: string } => {
  let length = 0
  let first = lines.length
  while (first > 0 && length + (lines[first - 1] ?? '').length < maxCharacters) {
    first -= 1
    length += (lines[first] ?? '').length + 1
  }
  const text = lines.slice(first).join('\n')
  if (first === 0) return { text }
  const total = lines.length.toLocaleString('en-US')
  if (first < lines.length) return { text, leftOut: `the first ${first.toLocaleString('en-US')} of ${total} lines` }
  const last = lines.at(-1) ?? ''
  // Half of a character is none.
  const end = last.slice(Math.max(0, last.length - maxCharacters)).replace(/^[\udc00-\udfff]/, '')
  return { text: end, leftOut: `all but the last ${end.length.toLocaleString('en-US')} characters of line ${total}` }
}

/** The draft of long-term memory, whose section comes delimited, escaped and limited in length: it is not cut. */
const ofMemory = async ({ memory }: MentionSources): Promise<Found> => {
  const text = await memory?.()
  if (text === undefined || text === '')
    return {
      refused:
        'Nothing is remembered of this project yet, so @memory sends nothing; cairn memory add remembers something, and cairn memory suggest looks for it in recorded sessions.',
    }
  const contribution: Contribution = { block: { type: 'text', text }, characters: 0 }
  return { name: 'memory', key: 'memory', cut: () => contribution }
}

/** The draft of the editor's problems, one per line; refused outside of an editor and if there are none. */
const ofProblems = (problems: readonly EditorProblem[] | undefined): Found => {
  if (problems === undefined)
    return { refused: '@problems needs an editor: nothing here knows of problems, and nothing is sent.' }
  if (problems.length === 0) return { refused: 'The editor has no problems; nothing is sent.' }
  const lines = problems.map(
    ({ path, line, severity, message }) => `${path}:${line} ${severity}: ${visibleName(message)}`,
  )
  return ofText({ name: 'problems', text: lines.join('\n') }, 'problems')
}

/** The draft of the editor's selections; refused outside of an editor and if nothing is selected. */
const ofSelections = (selections: readonly EditorSelection[] | undefined): Found => {
  if (selections === undefined)
    return { refused: '@selection needs an editor: nothing is selected here, and nothing is sent.' }
  if (selections.length === 0) return { refused: 'Nothing is selected in the editor; nothing is sent.' }
  const text = selections
    .map(({ path, lines: { first, last }, text: selected }) => `${path}:${first}-${last}\n${selected}`)
    .join('\n\n')
  return ofText({ name: 'selection', text }, 'selection')
}
