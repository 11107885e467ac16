/** Splits a text at the tags of agents' programs and of Cairn's own records, and tells in words what each part is. */
import { isProgramTag, tagEnd } from './program-texts.ts'
import { RECORD_TAGS } from './record-tags.ts'

export interface TextPart {
  readonly text: string
  /** What the part is; absent for text outside of tags. */
  readonly label?: string
}

const LABELS: ReadonlyMap<string, string> = new Map([
  ['system-reminder', 'Reminder by the agent’s program'],
  ['system_reminder', 'Reminder by the agent’s program'],
  ['system-notification', 'Notice by the agent’s program'],
  ['local-command-stdout', 'Output of a command'],
  ['local-command-stderr', 'Errors of a command'],
  ['local-command-caveat', 'Note on commands'],
  ['bash-input', 'Shell command of the user'],
  ['bash-stdout', 'Output of the shell command'],
  ['bash-stderr', 'Errors of the shell command'],
  ['task-notification', 'A background task reports'],
  ['user-memory-input', 'Memory that the user added'],
  ['ide_opened_file', 'File open in the editor'],
  ['ide_selection', 'Selection in the editor'],
  ['ide_diagnostics', 'Problems in the editor'],
  ['new-diagnostics', 'New problems in the editor'],
  ['environment_context', 'Surroundings'],
  ['environment_details', 'Surroundings'],
  ['session_context', 'Surroundings'],
  ['user_instructions', 'Standing instructions'],
  ['INSTRUCTIONS', 'Standing instructions'],
  ['hook_context', 'Context from a hook'],
  ['user-prompt-submit-hook', 'Context from a hook'],
  ['turn_aborted', 'The turn was interrupted'],
  ['subagent_notification', 'A subagent reports'],
  ['teammate-message', 'Message of another agent'],
  ['long_term_memory', 'Memory from Cairn'],
  ['past_sessions', 'Earlier sessions, from Cairn'],
  ['recalled_data', 'Recalled by Cairn'],
  ['user_profile', 'User profile, from Cairn'],
  ['session_state', 'State of the session, from Cairn'],
])

const OWN_TAGS: ReadonlySet<string> = new Set(RECORD_TAGS)
const OPENING_TAG = /<([A-Za-z][\w-]{0,40})(?:\s[^<>]{0,400})?>/g
/** A slash command as Claude Code notes it: name, message and arguments in any order, one after another. */
const COMMAND = /^\s*(?:<command-(?:name|message|args)>[^<]*<\/command-(?:name|message|args)>\s*){1,3}/
const COMMAND_NAME = /<command-name>\s*\/?([^<]*)<\/command-name>/
const COMMAND_ARGUMENTS = /<command-args>([^<]*)<\/command-args>/

/** More are left as they are. */
const MOST_PARTS = 200

const labelOf = (name: string): string =>
  LABELS.get(name) ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1).replace(/[_-]+/g, ' ')}`

/** The slash command that a text begins with, as it was typed, and where it ends; undefined where there is none. */
const commandAt = (text: string): { readonly typed: string; readonly end: number } | undefined => {
  const command = COMMAND.exec(text)?.[0] ?? ''
  const name = COMMAND_NAME.exec(command)?.[1]?.trim() ?? ''
  if (name === '') return undefined
  return { typed: `/${name} ${COMMAND_ARGUMENTS.exec(command)?.[1] ?? ''}`, end: command.length }
}

/**
 * The parts of a text in order, without the tags around them; a slash command is one part, as it was typed. A tag that
 * is unknown, or never closed, stays text. The whole text is one part without a label where there is nothing of these.
 * Parts of blanks alone are left out; after `MOST_PARTS` parts the rest stays text.
 */
export const taggedParts = (text: string): readonly TextPart[] => {
  if (!text.includes('<')) return [{ text }]
  const parts: TextPart[] = []
  const add = (part: TextPart): void => {
    if (part.text.trim() !== '') parts.push({ ...part, text: part.label === undefined ? part.text : part.text.trim() })
  }
  const command = commandAt(text)
  let from = command?.end ?? 0
  if (command !== undefined) add({ label: 'Command', text: command.typed })
  const unclosed = new Set<string>()
  OPENING_TAG.lastIndex = from
  for (let found = OPENING_TAG.exec(text); found !== null; found = OPENING_TAG.exec(text)) {
    const tag = found[1] ?? ''
    if ((!isProgramTag(tag) && !OWN_TAGS.has(tag)) || unclosed.has(tag)) continue
    const begin = OPENING_TAG.lastIndex
    const end = parts.length < MOST_PARTS ? tagEnd(text, found[0], tag, begin) : undefined
    if (end === undefined) {
      unclosed.add(tag)
      continue
    }
    add({ text: text.slice(from, found.index) })
    add({ label: labelOf(tag), text: text.slice(begin, end.end) })
    from = end.next
    OPENING_TAG.lastIndex = from
  }
  add({ text: text.slice(from) })
  return parts.length === 0 ? [{ text }] : parts
}
