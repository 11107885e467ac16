/** What the tools share: the workspace, what sessions have seen, and how outcomes are made. */
import type { PreparedCall, ToolOutcome } from '../../agent/agent-tool.ts'
import type { WorkspaceFiles } from '../../ports/workspace-files.ts'
import type { SeenFiles } from './seen-files.ts'
import type { FoundPath, WorkspacePaths } from './workspace-paths.ts'

export interface ToolParts {
  readonly files: WorkspaceFiles
  readonly paths: WorkspacePaths
  readonly seen: SeenFiles
}

export const textOutcome = (text: string, rest: Omit<ToolOutcome, 'content'> = {}): ToolOutcome => ({
  content: [{ type: 'text', text }],
  ...rest,
})

/** An outcome that says in one sentence what failed. */
export const failure = (text: string): ToolOutcome => textOutcome(text, { isError: true })

/** What a call on one path tells before it runs. */
export const pathFacts = ({ shown, reaches }: FoundPath): Pick<PreparedCall, 'paths' | 'reaches'> => ({
  paths: [shown],
  ...(reaches === undefined ? {} : { reaches }),
})

/** A size for people. */
export const sizeText = (bytes: number): string =>
  bytes < 1_000
    ? `${bytes} bytes`
    : bytes < 1_000_000
      ? `${(bytes / 1_000).toFixed(1)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`
