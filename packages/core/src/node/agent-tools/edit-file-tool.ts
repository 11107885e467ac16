/** `edit_file`: replaces exact texts in a file that the session has read. */
import type { AgentTool } from '../../agent/agent-tool.ts'
import { applyEdits, type TextEdit } from '../../agent/tools/apply-edits.ts'
import { flagOf, optionalObjects, refused, textOf } from '../../agent/tools/tool-input.ts'
import type { JsonObject } from '../../json.ts'
import { prepareChange } from './change-file.ts'
import type { ToolParts } from './tool-parts.ts'

const MOST_EDITS = 200

const EDIT_PROPERTIES: JsonObject = {
  old_text: {
    type: 'string',
    description: 'The exact text to replace, with its indentation and without line numbers; it must occur once.',
  },
  new_text: { type: 'string', description: 'What takes its place; empty to remove it.' },
  replace_all: { type: 'boolean', description: 'Replaces every occurrence. Default: false.' },
}

/**
 * The tool `edit_file`: edits of one file that was read before, all or none. A call whose edits can't be made rejects
 * before it is asked about, unless the file itself needs approval.
 */
export const editFileTool = (parts: ToolParts): AgentTool => ({
  definition: {
    name: 'edit_file',
    description:
      'Replaces exact texts in a file that was read before. Several edits are made in their order, all or none. Everything else in the file stays as it is.',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Relative to the workspace, with “/” between names.' },
        edits: {
          type: 'array',
          minItems: 1,
          maxItems: MOST_EDITS,
          items: { type: 'object', properties: EDIT_PROPERTIES, required: ['old_text', 'new_text'] },
        },
      },
      required: ['path', 'edits'],
    },
  },
  /**
   * Checks the call. A missing file and edits that can't be made are refused, at once or, where the file needs
   * approval, when it is run.
   */
  prepare: async (input, context) => {
    const path = textOf(input, 'path')
    const edits = editsOf(input)
    const found = await parts.paths.locate(path, { isChange: true })
    const change = (before: string | undefined) => {
      if (before === undefined) throw refused(`${found.shown} is not there; write_file makes new files.`)
      const result = applyEdits(before, edits, found.shown)
      if ('problem' in result) throw refused(result.problem)
      const count = result.replaced === 1 ? 'One text was' : `${result.replaced} texts were`
      return { text: result.text, report: `${count} replaced in ${found.shown}.` }
    }
    return prepareChange(parts, { found, title: `edit ${found.shown}`, change }, context)
  },
})

/**
 * The edits of a call; a single one may also stand beside the path. Throws a refusal for none, or more than
 * `MOST_EDITS`.
 */
const editsOf = (input: JsonObject): readonly TextEdit[] => {
  const given = optionalObjects(input, 'edits') ?? (input['old_text'] === undefined ? [] : [input])
  if (given.length === 0) throw refused('The call has no edits: give at least one with old_text and new_text.')
  if (given.length > MOST_EDITS) throw refused(`A call takes at most ${MOST_EDITS} edits, not ${given.length}.`)
  return given.map((edit) => ({
    oldText: textOf(edit, 'old_text'),
    newText: textOf(edit, 'new_text'),
    replaceAll: flagOf(edit, 'replace_all'),
  }))
}
