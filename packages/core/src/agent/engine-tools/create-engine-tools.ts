/** The tools that need only an engine: todo list, memory, notes, recall, related files, and a question to the user. */
import type { Memory } from '../../memory/memory.ts'
import type { Notes } from '../../notes/notes.ts'
import type { AgentTool } from '../agent-tool.ts'
import { askUserTool, type AskUser } from './ask-user-tool.ts'
import { memoryTool } from './memory-tool.ts'
import { noteTool } from './note-tool.ts'
import { recallTool, type RecallPart } from './recall-tool.ts'
import { relatedFilesTool, type RelatedPart } from './related-files-tool.ts'
import { todoTool } from './todo-tool.ts'

/** The parts of an engine that they use; every `Engine` has them. */
export interface ToolEngine {
  readonly privacy: { readonly longTermMemory: boolean }
  readonly memory: Memory
  readonly notes: Notes
  readonly recall: RecallPart
  readonly related: RelatedPart
}

export interface EngineToolsInput {
  readonly engine: ToolEngine
  /** The project, as named in sessions and memory. */
  readonly workspace: string
  /** The absolute folder of its files; default: the workspace. */
  readonly folder?: string
  /** If absent, nobody can be asked, and the tool is left out. */
  readonly askUser?: AskUser
}

/**
 * The tools that need only an engine, in a stable order, because the model's cache begins with them. `memory` is
 * included only with long-term memory, `ask_user` only if someone can be asked. `folder`, which is searched for files,
 * is the workspace by default.
 */
export const createEngineTools = ({
  engine,
  workspace,
  folder = workspace,
  askUser,
}: EngineToolsInput): readonly AgentTool[] => [
  todoTool(),
  recallTool(engine.recall, workspace),
  relatedFilesTool(engine.related, { workspace, folder }),
  ...(engine.privacy.longTermMemory ? [memoryTool(engine.memory, workspace)] : []),
  noteTool(engine.notes, workspace),
  ...(askUser === undefined ? [] : [askUserTool(askUser)]),
]
