/** Commits in the output of tools: what git says when it makes one, and what `git log` lists. */
import { textOfJson, type ToolCallBlock } from '../messages.ts'
import { plainToolName } from './conversation.ts'

/** A commit that git's output reports. */
export interface FoundCommit {
  readonly hash: string
  readonly subject: string
  /** Git said that it made it; else it was listed. */
  readonly made: boolean
}

/** `[main 1a2b3c4] text`, `[detached HEAD 1a2b3c4] text`, `[main (root-commit) 1a2b3c4] text`. */
const MADE = /^[ \t]*\[[^\]\n]{1,250}? ([0-9a-f]{7,40})\][ \t]+(\S.*)$/gm
/** A line of `git log --oneline`, also with a graph and with names of branches. */
const ONE_LINE = /^[*|\\/_ \t]*([0-9a-f]{7,40})[ \t]+(?:\([^)\n]{1,300}\)[ \t]+)?(\S.*)$/gm
/** An entry of `git log` in its long form: the subject is the first line after the empty one. */
const LONG =
  /^[*|\\/_ \t]*commit ([0-9a-f]{40})\b.*\n(?:[*|\\/_ \t]*[A-Z][A-Za-z]*:.*\n)+[*|\\/_ \t]*\n[*|\\/_ \t]*(\S.*)$/gm

const GIT = /\bgit\b|version_control|commit/i
const MAKES_COMMITS = /\bgit\s[^|;&\n]*\b(?:commit|merge|cherry-pick|revert|rebase|am|pull)\b/
const GIT_LOG = /\bgit\b(?:\s+-{1,2}\S+(?:\s+[^\s|&;-]\S*)?)*\s+log\b/
/** Nothing but `git log`, perhaps in another folder, perhaps cut by a pager. */
const ONLY_GIT_LOG =
  /^\s*(?:cd\s+[^\s&|;]+\s*&&\s*)?git\b[^|&;\n]*\blog\b[^|&;\n]*(?:\|\s*(?:cat|head|tail|less|more)\b[^|&;\n]*)?(?:2>&1|2>\s*\/dev\/null)?\s*$/
const SEARCH_TOOLS = new Set(['grep', 'search', 'search_files', 'glob', 'find'])

/**
 * The commits that a call's result reports, oldest first. `touchesFiles`: the call reads or edits files, so that its
 * output quotes them. A number that happens to stand first in a line is no hash.
 */
export const commitsIn = (call: ToolCallBlock, output: string, touchesFiles: boolean): readonly FoundCommit[] => {
  const command = textOfJson(call.input)
  const tool = plainToolName(call.name)
  const quotesFiles = touchesFiles || SEARCH_TOOLS.has(tool)
  const isGit = quotesFiles ? MAKES_COMMITS.test(command) : GIT.test(command) || GIT.test(tool)
  const made = isGit || !quotesFiles ? found(MADE, output, true).filter(({ hash }) => isGit || isMixed(hash)) : []
  const isLogTool = tool === 'git_log'
  if (!isLogTool && !GIT_LOG.test(command)) return made
  const isOnlyLog = isLogTool || ONLY_GIT_LOG.test(commandOf(call))
  const listed = [
    ...found(LONG, output, false),
    ...found(ONE_LINE, output, false).filter(({ hash }) => isOnlyLog || isMixed(hash)),
  ]
  // A log lists the newest first.
  return [...listed.toReversed(), ...made]
}

const found = (pattern: RegExp, output: string, made: boolean): readonly FoundCommit[] =>
  [...output.matchAll(pattern)].map(([, hash = '', subject = '']) => ({ hash, subject: subject.trim(), made }))

/** Letters and digits: neither a count nor a word. */
const isMixed = (hash: string): boolean => /\d/.test(hash) && /[a-f]/.test(hash)

/** The command alone, where the call's other arguments are told apart from it. */
const commandOf = ({ input }: ToolCallBlock): string => {
  if (typeof input === 'object' && input !== null && 'command' in input && typeof input.command === 'string')
    return input.command
  return textOfJson(input)
}
