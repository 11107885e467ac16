/** What stands where a file's older content was, and how such texts and failed reads are told from files. */

/** A path as it may stand inside of a notice: one line, and not endless. */
const shownPath = (path: string): string => {
  const line = path.replace(/\p{Cc}/gu, ' ')
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}

/**
 * The notice for a file's older content. It names no place but says "the latest", which stays true when the
 * file is read once more: a notice never has to be changed, and never points to what became one.
 */
export const duplicateNotice = (paths: readonly string[]): string =>
  `[Earlier content of ${paths.map((path) => `'${shownPath(path)}'`).join(', ')} removed to save space: refer to the latest read of this file, further below, for its newest content.]`

/** Notices of Cairn, Cline and CLIO, and results that only refer to an earlier one. */
const NOTICE =
  /^\s*(?:\[Earlier content of '|\[\[NOTE\]|\[Duplicate file read|result missing\s*$|\[result missing: |File unchanged since last read|<system-reminder>\s*File unchanged)/
/** Results that tell of a failure in words, where nothing else marks it. */
const FAILURE =
  /^\s*(?:Error(?::| reading| executing| fetching| opening)|<error>|<tool_use_error>|The tool execution failed|The user denied|Tool execution failed|(?:cat|nl|bat|sed|head|tail): .*(?:No such file|Is a directory|Permission denied)|ENOENT\b|EACCES\b|EISDIR\b)/i

/** Whether a text can be a file's content, rather than a notice in its place, a failure, or nothing. */
export const isFileContent = (text: string): boolean => text.trim() !== '' && !NOTICE.test(text) && !FAILURE.test(text)
