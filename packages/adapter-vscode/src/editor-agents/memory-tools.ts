/** Cairn's memory as tools for the agents of the editor itself: recall, memory and related files. Apart from the editor. */
import { CairnError } from '@cairn/core'
import type { Engine, JsonObject } from '@cairn/core'
import { createEngineTools } from '@cairn/core/agent'
import type { AgentTool } from '@cairn/core/agent'

/** Their names for the editor, and the tools of the agent that they are. All only read. */
const EDITOR_TOOLS = {
  cairn_recall: 'recall',
  cairn_related_files: 'related_files',
} as const

/** The name of a tool for the editor's agents. */
export type EditorToolName = keyof typeof EDITOR_TOOLS | 'cairn_memory'

/** The project that a tool searches. */
export interface ToolProject {
  readonly engine: Engine
  readonly workspace: string
  readonly folder: string
}

const MOST_ENTRIES = 20

/**
 * Runs a tool, and returns its answer as text for a model. Rejects with one sentence if the input is wrong, and as the
 * store does.
 */
export const runEditorTool = async (
  name: EditorToolName,
  input: JsonObject,
  { engine, workspace, folder }: ToolProject,
  signal: AbortSignal,
): Promise<string> => {
  if (name === 'cairn_memory') return memoryText(engine, workspace, input)
  const tool = toolNamed(createEngineTools({ engine, workspace, folder }), EDITOR_TOOLS[name])
  const call = await tool.prepare(input, { sessionId: '', callId: name, signal, onOutput: () => undefined })
  const { content } = await call.run()
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}

/**
 * Returns the tool with the name.
 * @throws CairnError `unsupported` if there is none
 */
const toolNamed = (tools: readonly AgentTool[], name: string): AgentTool => {
  const found = tools.find(({ definition }) => definition.name === name)
  if (found === undefined) throw new CairnError('unsupported', `There is no tool "${name}".`)
  return found
}

/**
 * Returns the entries that match the query, at most {@link MOST_ENTRIES}; without a query, what a session would be told at
 * its start. A sentence if there is nothing.
 */
const memoryText = async (
  { memory }: Pick<Engine, 'memory'>,
  workspace: string,
  { query }: JsonObject,
): Promise<string> => {
  if (typeof query !== 'string' || query.trim() === '') {
    const { text } = await memory.section(workspace)
    return text === '' ? 'Nothing is remembered of this project.' : text
  }
  const found = await memory.search(workspace, query, { limit: MOST_ENTRIES })
  return found.length === 0
    ? 'Nothing that is remembered of this project has these words.'
    : found.map(({ entry }) => `- ${entry.kind} (${entry.id}): ${entry.text}`).join('\n')
}
