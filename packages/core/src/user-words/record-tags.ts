/** The tags in which Cairn hands records to a model: a text between such tags was written by no person. */

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
] as const

/** One of {@link RECORD_TAGS}. */
export type RecordTag = (typeof RECORD_TAGS)[number]

/** Whether a text is nothing but a record that was handed to the model. */
export const isRecord = (text: string): boolean => {
  const trimmed = text.trim()
  return RECORD_TAGS.some((tag) => trimmed.startsWith(`<${tag}`) && trimmed.endsWith(`</${tag}>`))
}
