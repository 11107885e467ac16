/** The tags in which Cairn hands records and rules to a model: no person typed what stands between them. */

/** All tags of ours; any of them is escaped in content. */
export const RECORD_TAGS = [
  'thread_summary',
  'session_state',
  'current_request',
  'todo_list',
  'git_activity',
  'session_notes',
  'conversation_summary',
  'explicit_instructions',
  'summarize_task',
  'summarise_task',
  'earlier_names',
  'long_term_memory',
  'user_profile',
  'past_sessions',
  'recalled_data',
  'mentioned_data',
  'file_changes',
  'current_focus',
  'project_rules',
] as const

/** One of {@link RECORD_TAGS}. */
export type RecordTag = (typeof RECORD_TAGS)[number]

/** Tags of what a session is handed out of the store, by a hook or a tool. */
const STORE_RECORD =
  /<(long_term_memory|user_profile|past_sessions|recalled_data|session_state|file_changes)(?:\s[^<>]*)?>/y
const BLANKS = /\s*/y

/** Gemini CLI puts what a hook hands over between such tags, and escapes the brackets of those within. */
const OPENED = '<hook_context>'
const CLOSED = '</hook_context>'

/** A text without the tags that a hook's output is given in; any other as it is. */
const withoutHookTags = (text: string): string => {
  const trimmed = text.trim()
  return trimmed.startsWith(OPENED) && trimmed.endsWith(CLOSED)
    ? trimmed.slice(OPENED.length, -CLOSED.length).replaceAll('&lt;', '<').replaceAll('&gt;', '>')
    : text
}

/**
 * Whether a text is nothing but records out of the store, one after another, as a hook printed them or as an agent handed
 * them on. They are in the store without it.
 */
export const isStoreRecord = (given: string): boolean => {
  const text = withoutHookTags(given)
  const skipBlanks = (from: number): number => {
    BLANKS.lastIndex = from
    return from + (BLANKS.exec(text)?.[0].length ?? 0)
  }
  let at = skipBlanks(0)
  if (at === text.length) return false
  while (at < text.length) {
    STORE_RECORD.lastIndex = at
    const closing = `</${STORE_RECORD.exec(text)?.[1] ?? ''}>`
    const end = closing === '</>' ? -1 : text.indexOf(closing, at)
    if (end === -1) return false
    at = skipBlanks(end + closing.length)
  }
  return true
}

/**
 * Whether a text is nothing but records that were handed to the model; blanks around them aside. False for an empty
 * text.
 */
export const isRecord = (text: string): boolean => {
  const trimmed = text.trim()
  return (
    RECORD_TAGS.some((tag) => trimmed.startsWith(`<${tag}`) && trimmed.endsWith(`</${tag}>`)) || isStoreRecord(trimmed)
  )
}
