/** `write_file`: makes a file, or gives one that the session has read a whole new text. */
import type { AgentTool } from '../../agent/agent-tool.ts'
import { inShapeOf } from '../../agent/tools/line-ends.ts'
import { linesOf } from '../../agent/tools/numbered-lines.ts'
import { textOf } from '../../agent/tools/tool-input.ts'
import { prepareChange } from './change-file.ts'
import type { ToolParts } from './tool-parts.ts'

/**
 * The tool `write_file`: a whole new text for a file, folders above included. One that is there must have been read
 * before.
 */
export const writeFileTool = (parts: ToolParts): AgentTool => ({
  definition: {
    name: 'write_file',
    description:
      'Makes a new file with the folders above it, or replaces the whole text of a file that was read before. Use edit_file for a change of a part.',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Relative to the workspace, with “/” between names.' },
        content: { type: 'string', description: 'The whole text.' },
      },
      required: ['path', 'content'],
    },
  },
  /** Checks the call; a text for a file that exists gets its shape (`inShapeOf`). Writes when it is run. */
  prepare: async (input, context) => {
    const path = textOf(input, 'path')
    const content = textOf(input, 'content')
    const found = await parts.paths.locate(path, { isChange: true })
    const change = (before: string | undefined) => {
      const text = before === undefined ? content : inShapeOf(before, content)
      const count = linesOf(text).length
      const lines = `${count} ${count === 1 ? 'line' : 'lines'}`
      return { text, report: `${found.shown} was ${before === undefined ? 'made' : 'rewritten'}, with ${lines}.` }
    }
    return prepareChange(parts, { found, title: `write ${found.shown}`, change }, context)
  },
})
