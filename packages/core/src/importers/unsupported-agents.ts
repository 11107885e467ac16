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
    title: 'Gemini CLI',
    path: /[/\\](?:\.gemini[/\\]tmp[/\\].+|chats[/\\]session-[^/\\]*\.jsonl?)$/,
    marks: [[SESSION_ID, /"projectHash"\s*:\s*"/]],
  },
  {
    title: 'Aider',
    path: /[/\\]\.aider\.[^/\\]*$/,
    marks: [
      [/^\s*# aider chat started at \d{4}-/m],
      [/"event"\s*:\s*"/, /"properties"\s*:\s*\{/, /"(?:main_model|edit_format|weak_model)"\s*:/],
    ],
  },
  {
    title: 'Continue',
    path: /[/\\]\.continue[/\\](?:sessions|dev_data)[/\\].+$/,
    marks: [[SESSION_ID, /"workspaceDirectory"\s*:/, /"(?:history"\s*:\s*\[|dateCreated"\s*:)/]],
  },
  {
    title: 'OpenCode',
    path: /[/\\](?:opencode[/\\]storage[/\\].+|opencode[^/\\]*\.db)$/,
    marks: [
      [/"(?:id|sessionID)"\s*:\s*"ses_/, /"(?:directory|role|messageID|projectID)"\s*:\s*"/],
      [/"id"\s*:\s*"(?:msg|prt)_/, /"sessionID"\s*:\s*"/],
    ],
  },
  {
    title: 'GitHub Copilot CLI',
    path: /[/\\](?:\.copilot[/\\](?:session-state|history-session-state)[/\\].+|session-state[/\\][^/\\]+[/\\]events\.jsonl)$/,
    marks: [[/"type"\s*:\s*"session\.start"/, /"(?:producer"\s*:\s*"copilot-agent"|copilotVersion"\s*:)/]],
  },
  {
    title: 'Cursor',
    path: /[/\\](?:\.cursor[/\\](?:projects|chats)[/\\].+|Cursor[/\\]User[/\\].*state\.vscdb)$/,
    marks: [[/"composerId"\s*:\s*"/, /"(?:conversation|fullConversationHeadersOnly|bubbleId)"\s*:/]],
  },
  {
    title: 'VS Code chat',
    path: /[/\\](?:(?:chatSessions|emptyWindowChatSessions)[/\\][^/\\]+\.jsonl?|state\.vscdb)$/,
    marks: [
      [/"responderUsername"\s*:/, /"requests"\s*:\s*\[/],
      [SESSION_ID, /"creationDate"\s*:/, /"requests"\s*:\s*\[/],
    ],
  },
  {
    title: 'CLIO',
    path: /[/\\]\.clio[/\\]sessions[/\\].+$/,
    marks: [[/"working_directory"\s*:/, /"(?:stm|yarn|session_name)"\s*:/]],
  },
]

const NOT_YET = 'sessions are not supported yet'

/** Whether a reason is one that {@link unsupportedAgent} gave. */
export const isUnsupported = (reason: string): boolean => reason.endsWith(NOT_YET)

/** Characters of a file's beginning in which the names are looked for. */
export const HEAD_LENGTH = 64 * 1024

/**
 * The reason to leave out a file that no importer takes, where it is of an agent that is known.
 * @param path absolute
 * @param head its first {@link HEAD_LENGTH} characters; absent where the file was not read
 */
export const unsupportedAgent = (path: string, head = ''): string | undefined => {
  const file = path.replace(/\.(?:gz|zst)$/i, '')
  const found =
    UNSUPPORTED.find(({ marks }) => head !== '' && marks.some((row) => row.every((mark) => mark.test(head)))) ??
    UNSUPPORTED.find(({ path: pattern }) => pattern.test(file))
  return found === undefined ? undefined : `${found.title} ${NOT_YET}`
}
