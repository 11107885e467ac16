/** `related_files`: the project's files that are most relevant to a task. */
import { escapedLine } from '../../memory/section-text.ts'
import type { RelatedAnswer } from '../../sources/related/related.ts'
import type { AgentTool } from '../agent-tool.ts'
import { callOf, countIn, found, optionalTextIn, textIn } from './tool-input.ts'

export interface RelatedPart {
  find(
    query: {
      readonly roots: readonly string[]
      readonly text: string
      readonly workspace: string
      readonly limit: number
      readonly file?: string
    },
    signal?: AbortSignal,
  ): Promise<RelatedAnswer>
}

/**
 * The tool `related_files`, which gives up to 40 files (default 10), best first, a line each with the reasons.
 * Read-only. `folder` (absolute) is searched for files; `workspace` names the project whose sessions count.
 */
export const relatedFilesTool = (
  related: RelatedPart,
  { workspace, folder }: { readonly workspace: string; readonly folder: string },
): AgentTool => ({
  definition: {
    name: 'related_files',
    description:
      'The files of the project that belong to a text or to a file: by names, words, imports, history and what earlier sessions did. Ask it before searching by hand.',
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'What is to be done, in words.' },
        file: { type: 'string', description: 'A file that is known to matter, relative to the project.' },
        limit: { type: 'integer', minimum: 1, maximum: 40, description: 'Default 10.' },
      },
      required: ['text'],
    },
  },
  prepare: async (input, { signal }) => {
    const text = textIn(input, 'text', 4000)
    const file = optionalTextIn(input, 'file', 1000)
    const limit = countIn(input, 'limit', 40, 10)
    return callOf('none', `files related to ${escapedLine(text, 60)}`, async () => {
      const query = { roots: [folder], text, workspace, limit, ...(file === undefined ? {} : { file }) }
      const { files } = await related.find(query, signal)
      const lines = files.map(({ path, why }) => `${escapedLine(path, 300)}: ${escapedLine(why.join('; '), 300)}`)
      return found(`${files.length} files, best first.`, lines.join('\n'))
    })
  },
})
