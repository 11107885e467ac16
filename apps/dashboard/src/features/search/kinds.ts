/** What a search finds, in the order in which it is shown: what is remembered and noted first, as `cairn recall` does. */
export const KINDS = ['memory', 'notes', 'messages', 'sessions', 'files'] as const
export type Kind = (typeof KINDS)[number]

export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  memory: 'Memory',
  notes: 'Notes',
  messages: 'Messages',
  sessions: 'Sessions',
  files: 'Files',
}

/** Characters; a longer text is not searched for. */
export const LONGEST_QUERY = 1_000
