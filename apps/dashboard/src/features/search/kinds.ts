/** What a search finds, in the order in which it is shown: what is remembered and noted first, as `cairn recall` does. */
export const KINDS = ['memory', 'notes', 'messages', 'sessions', 'files'] as const
/** One of {@link KINDS}. */
export type Kind = (typeof KINDS)[number]

/** The name of each kind on the page. */
export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  memory: 'Memory',
  notes: 'Notes',
  messages: 'Messages',
  sessions: 'Sessions',
  files: 'Files',
}

/** Files that the search shows at most; the page of files has all. */
export const MOST_FILES = 1_000

/** Characters; a longer text is not searched for. */
export const LONGEST_QUERY = 1_000
