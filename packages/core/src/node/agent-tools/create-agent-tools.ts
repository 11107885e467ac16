/** The tools with which an agent reads, searches and changes a workspace. */
import type { AgentTool } from '../../agent/agent-tool.ts'
import { createWorkspaceFiles } from '../sources/workspace-files.ts'
import { editFileTool } from './edit-file-tool.ts'
import { listFilesTool } from './list-files-tool.ts'
import type { ToolParts } from './tool-parts.ts'
import { readFileTool } from './read-file-tool.ts'
import { runCommandTool } from './run-command-tool.ts'
import { searchFilesTool } from './search-files-tool.ts'
import { createSeenFiles, type SessionEntries } from './seen-files.ts'
import { createWorkspacePaths } from './workspace-paths.ts'
import { writeFileTool } from './write-file-tool.ts'

export interface AgentToolsOptions {
  /** The folders that it works in; absolute or relative to the working folder. */
  readonly roots: readonly string[]
  /**
   * The log of a session, asked once for each, so that a session which is resumed need not read again what it read before.
   * Absent: files count as read only by calls of these tools.
   */
  readonly entries?: SessionEntries
  /**
   * The name or path of ripgrep; null: it is not used. Default: `rg`. Where it can't be started, files are searched
   * without.
   */
  readonly ripgrep?: string | null
  /** Limit of a command that names none, ms. Default: two minutes. */
  readonly commandTimeoutMs?: number
  /** Time that a command's processes have to end once they are asked to, ms. Default: two seconds. */
  readonly commandGraceMs?: number
}

const TIMEOUT_MS = 120_000
const GRACE_MS = 2_000

/**
 * The tools over files and commands below `roots`, in the order in which a model is told of them: read, list, search,
 * edit, write, run. @throws CairnError `invalid-input` without a root
 */
export const createAgentTools = ({
  roots,
  entries,
  ripgrep = 'rg',
  commandTimeoutMs: timeoutMs = TIMEOUT_MS,
  commandGraceMs: graceMs = GRACE_MS,
}: AgentToolsOptions): readonly AgentTool[] => {
  const files = createWorkspaceFiles(roots)
  const paths = createWorkspacePaths(files)
  const parts: ToolParts = { files, paths, seen: createSeenFiles(paths, entries) }
  return [
    readFileTool(parts),
    listFilesTool(parts),
    searchFilesTool(parts, ripgrep ?? undefined),
    editFileTool(parts),
    writeFileTool(parts),
    runCommandTool(parts, { timeoutMs, graceMs }),
  ]
}
