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

/** The outcome of a call: a text for the model, with what else is told of it. */
export const textOutcome = (text: string, rest: Omit<ToolOutcome, 'content'> = {}): ToolOutcome => ({
  content: [{ type: 'text', text }],
  ...rest,
})

/** The outcome of a call that failed (`isError`), with one sentence for the model. */
export const failure = (text: string): ToolOutcome => textOutcome(text, { isError: true })

/**
 * What a call on one path tells before it runs: the path as people are told, and why it needs approval, where it does.
 */
export const pathFacts = ({ shown, reaches }: FoundPath): Pick<PreparedCall, 'paths' | 'reaches'> => ({
  paths: [shown],
  ...(reaches === undefined ? {} : { reaches }),
})

/** A size for people: bytes, kB or MB of 1,000 each. */
export const sizeText = (bytes: number): string =>
  bytes < 1_000
    ? `${bytes} bytes`
    : bytes < 1_000_000
      ? `${(bytes / 1_000).toFixed(1)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`
