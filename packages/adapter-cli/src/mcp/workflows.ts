/** The workflow files of the client's project as prompts: `.clinerules/workflows`, `.claude/commands` and the like. */
import type { GetPromptResult, Prompt } from '@modelcontextprotocol/sdk/types.js'
import { CairnError } from '@cairn/core'
import type { WorkflowPrompt } from '@cairn/core/sources/rules'
import { shortLine } from './quoted.ts'
import type { Call } from './tool.ts'

const MOST_LISTED = 100
const DESCRIPTION_SHOWN = 200

type WorkflowCall = Pick<Call, 'engine' | 'home' | 'sourceFolder'>

/**
 * Returns the workflows of the client's project that are on, at most 100; none if it works in no project. `taken` lists
 * the names of other prompts.
 */
export const workflowsOf = async (
  { engine, home, sourceFolder }: WorkflowCall,
  taken: readonly string[],
): Promise<readonly WorkflowPrompt[]> => {
  const workspace = await folderOrNone(sourceFolder)
  if (workspace === undefined) return []
  // Loaded by the first call that needs them: a server that only lists its tools does without.
  const [{ createWorkspaceFiles }, { workflowPrompts }] = await Promise.all([
    import('@cairn/core/node/sources'),
    import('@cairn/core/sources/rules'),
  ])
  const { workflows } = await engine.rules.list({ workspace, home, files: createWorkspaceFiles([workspace]) })
  return workflowPrompts(workflows, taken).slice(0, MOST_LISTED)
}

/** Returns the client's project folder; undefined if it has none. Other faults reject. */
const folderOrNone = async (sourceFolder: Call['sourceFolder']): Promise<string | undefined> => {
  try {
    return await sourceFolder(undefined)
  } catch (error) {
    if (CairnError.is(error) && (error.code === 'invalid-input' || error.code === 'not-found')) return undefined
    throw error
  }
}

/** Returns a workflow as a client lists it. */
export const listedWorkflow = ({ name, description, id }: WorkflowPrompt): Prompt => ({
  name,
  title: shortLine(description, DESCRIPTION_SHOWN) || name,
  description: `A workflow of this project (${shortLine(id, DESCRIPTION_SHOWN)}).`,
  arguments: [{ name: 'input', description: 'What it is to be done with or for.', required: false }],
})

/** Returns the prompt of a workflow: the file's text as the user's own message, with what they typed. */
export const workflowMessages = async (workflow: WorkflowPrompt, input: string): Promise<GetPromptResult> => {
  const { workflowText } = await import('@cairn/core/sources/rules')
  return {
    description: `A workflow of this project (${shortLine(workflow.id, DESCRIPTION_SHOWN)})`,
    messages: [{ role: 'user', content: { type: 'text', text: workflowText(workflow, input) } }],
  }
}
