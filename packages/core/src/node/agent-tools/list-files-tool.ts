/** `list_files`: the workspace's files as a tree, or those that a pattern names. */
import type { AgentTool, ToolOutcome } from '../../agent/agent-tool.ts'
import { fileTree, MOST_ENTRIES } from '../../agent/tools/file-tree.ts'
import { pathPattern } from '../../agent/tools/path-pattern.ts'
import { optionalNumber, optionalText } from '../../agent/tools/tool-input.ts'
import { CairnError } from '../../errors.ts'
import { failure, pathFacts, textOutcome, type ToolParts } from './tool-parts.ts'
import { targetFiles } from './target-files.ts'
import type { FoundPath } from './workspace-paths.ts'

interface Listing {
  readonly found: FoundPath
  readonly pattern: ((path: string) => boolean) | undefined
  readonly depth: number
}

/** The tool `list_files`: the tree of a folder, or the paths that match a pattern. It only reads. */
export const listFilesTool = (parts: ToolParts): AgentTool => ({
  definition: {
    name: 'list_files',
    description: `Lists files: a tree of a folder, or the paths that match a pattern. Files that ignore files leave out are not listed. At most ${MOST_ENTRIES} lines.`,
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'A folder. Default: the whole workspace.' },
        pattern: {
          type: 'string',
          description:
            'Such as *.ts (at any depth), src/**/*.test.{ts,tsx} (from the folder on). Gives paths, no tree.',
        },
        depth: { type: 'integer', minimum: 1, description: 'Levels of the tree. Default: as many as fit.' },
      },
    },
  },
  /** Checks the call: by default the whole workspace, to any depth; an empty pattern is none. Lists when it is run. */
  prepare: async (input, { signal }) => {
    const path = optionalText(input, 'path') ?? '.'
    const given = optionalText(input, 'pattern')
    const depth = optionalNumber(input, 'depth', { least: 1, most: Infinity }) ?? Infinity
    const pattern = given === undefined || given === '' ? undefined : pathPattern(given)
    const found = await parts.paths.locate(path, { isFolder: true })
    return {
      effect: 'none',
      title: `list ${found.shown}${pattern === undefined ? '' : ` ${given}`}`,
      ...pathFacts(found),
      run: () => list(parts, { found, pattern, depth }, signal),
    }
  },
})

/**
 * Lists files as a tree of at most `depth` levels, or, with a pattern, the paths that match at any depth: at most
 * `MOST_ENTRIES` lines, then a note of what is missing. A file lists itself; no file is an answer, not an error. A path
 * that can't be read gives a failed outcome. Files that ignore files leave out are not listed, unless `found` itself is
 * one of them or lies below one. Rejects when aborted.
 */
const list = async (
  parts: ToolParts,
  { found, pattern, depth }: Listing,
  signal: AbortSignal,
): Promise<ToolOutcome> => {
  try {
    const { files, isComplete } = await targetFiles(parts, found, signal)
    const matching = pattern === undefined ? files : files.filter(({ below }) => pattern(below))
    if (matching.length === 0)
      return textOutcome(pattern === undefined ? `(${found.shown} has no files.)` : '(No file matches.)')
    const more = isComplete ? '' : ' The workspace has more files than are listed.'
    if (pattern === undefined) {
      const { text, named } = fileTree(
        matching.map(({ below }) => below),
        depth,
      )
      return textOutcome(
        named === matching.length
          ? text + (more && `\n(${more.trim()})`)
          : `${text}\n(${matching.length} files in all; list a folder to see more of it.${more})`,
      )
    }
    const shown = matching.slice(0, MOST_ENTRIES).map((file) => file.shown)
    const rest = matching.length - shown.length
    return textOutcome(
      shown.join('\n') +
        (rest > 0 ? `\n(${rest} more; make the pattern narrower.${more})` : more && `\n(${more.trim()})`),
    )
  } catch (error) {
    if (CairnError.is(error)) return failure(error.message)
    throw error
  }
}
