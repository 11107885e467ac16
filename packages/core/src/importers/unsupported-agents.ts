/**
 * Agents whose sessions are known and can't be read yet, by where their files lie and by the names in them: whoever gives
 * them to an import is told so, instead of that they are no transcripts. Asked only of files that no importer takes.
 */

interface UnsupportedAgent {
  /** As its makers write it. */
  readonly title: string
  readonly path: RegExp
  /** Names that the beginning of a file holds, all of one row. As keys of JSON they are not matched inside of a text. */
  readonly marks: readonly (readonly RegExp[])[]
}

const SESSION_ID = /"sessionId"\s*:\s*"/

const UNSUPPORTED: readonly UnsupportedAgent[] = [
  {
    title: 'Early GitHub Copilot CLI',
    path: /[/\\]\.copilot[/\\]history-session-state[/\\].+$/,
    marks: [],
  },
  {
    title: 'Cursor CLI',
    path: /[/\\]\.cursor[/\\](?:projects|chats)[/\\].+$/,
    marks: [],
  },
  {
    title: 'VS Code chat',
    path: /[/\\](?:(?:chatSessions|emptyWindowChatSessions)[/\\][^/\\]+\.jsonl?|state\.vscdb)$/,
    marks: [
      [/"responderUsername"\s*:/, /"requests"\s*:\s*\[/],
      [SESSION_ID, /"creationDate"\s*:/, /"requests"\s*:\s*\[/],
    ],
  },
]

/** Files of OpenCode that say nothing by themselves. */
const OPENCODE_PART: readonly (readonly RegExp[])[] = [
  [/^\s*\{\s*"id"\s*:\s*"ses_/, /"(?:directory|projectID)"\s*:\s*"/],
  [/^\s*\{\s*"id"\s*:\s*"(?:msg|prt)_/, /"sessionID"\s*:\s*"/],
]
const ONLY_A_PART = 'a part of an OpenCode session; import the folder "storage" that it comes from as a whole'

/** Aider's log of requests, where it was asked for one. */
const AIDER_ANALYTICS = [
  /"event"\s*:\s*"/,
  /"properties"\s*:\s*\{/,
  /"(?:main_model|edit_format|weak_model)"\s*:/,
] as const
const ONLY_REQUESTS =
  "Aider's log of requests, which are in its chat histories, too (.aider.chat.history.md): import those instead"

const NOT_YET = 'sessions are not supported yet'

/** Whether a skip's reason says that a known agent's sessions can't be imported yet; false for any other reason. */
export const isUnsupported = (reason: string): boolean => reason.endsWith(NOT_YET)

/** Characters of a file's beginning in which the names are looked for. */
export const HEAD_LENGTH = 64 * 1024

/**
 * The reason to leave out a file that no importer takes, where it is of an agent that is known: one whose sessions
 * can't be read yet, by the file's beginning, else its path; or a part of OpenCode's or Aider's that tells nothing
 * alone. Undefined for any other file. A packed file (`.gz`, `.zst`) is known by its name without that.
 * @param path absolute
 * @param head its first {@link HEAD_LENGTH} characters; absent where the file was not read
 */
export const unsupportedAgent = (path: string, head = ''): string | undefined => {
  const file = path.replace(/\.(?:gz|zst)$/i, '')
  const found =
    UNSUPPORTED.find(({ marks }) => head !== '' && marks.some((row) => row.every((mark) => mark.test(head)))) ??
    UNSUPPORTED.find(({ path: pattern }) => pattern.test(file))
  if (found !== undefined) return `${found.title} ${NOT_YET}`
  if (AIDER_ANALYTICS.every((mark) => mark.test(head))) return ONLY_REQUESTS
  return OPENCODE_PART.some((row) => row.every((mark) => mark.test(head))) ? ONLY_A_PART : undefined
}
