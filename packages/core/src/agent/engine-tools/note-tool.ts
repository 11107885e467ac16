/** `note`: named texts of the project, such as a plan for another session to continue. */
import type { Notes } from '../../notes/notes.ts'
import { escapedLine } from '../../memory/section-text.ts'
import type { AgentTool, PreparedCall, ToolContext } from '../agent-tool.ts'
import type { JsonObject } from '../../json.ts'
import { answer, callOf, choiceIn, found, textIn } from './tool-input.ts'

const OPERATIONS = ['set', 'get', 'list', 'search', 'delete'] as const
const LONGEST_NOTE = 20_000

/** The tool `note` over a workspace's notes. Calls that change notes run without approval (effect `memory`). */
export const noteTool = (notes: Notes, workspace: string): AgentTool => ({
  definition: {
    name: 'note',
    description:
      'Named texts of this project: a plan, what was found out, what comes next. set replaces the text of a key; get, list, search, delete.',
    inputSchema: {
      type: 'object',
      properties: {
        operation: { type: 'string', enum: OPERATIONS },
        key: { type: 'string', description: 'set, get, delete.' },
        text: { type: 'string', description: 'set: the text; search: words.' },
      },
      required: ['operation'],
    },
  },
  prepare: async (input, context) => prepared(notes, workspace, input, context),
})

/**
 * Checks the input of a call and describes what it will do; nothing is read or written before it runs. `list` and
 * `search` (10 at most) give a line per note with its key and the beginning of its text, `get` the whole text; `set`
 * replaces the text of a key.
 * @throws CairnError `invalid-input`
 */
const prepared = (
  notes: Notes,
  workspace: string,
  input: JsonObject,
  { sessionId }: Pick<ToolContext, 'sessionId'>,
): PreparedCall => {
  const operation = choiceIn(input, 'operation', OPERATIONS)
  switch (operation) {
    case 'list':
      return callOf('none', 'list the notes', async () => {
        const all = await notes.list(workspace)
        return found(`${all.length} notes.`, all.map(({ key, text }) => `${key}: ${escapedLine(text, 120)}`).join('\n'))
      })
    case 'search': {
      const text = textIn(input, 'text')
      return callOf('none', `search the notes for ${escapedLine(text, 60)}`, async () => {
        const matches = await notes.search(workspace, text, 10)
        const lines = matches.map(({ note }) => `${note.key}: ${escapedLine(note.text, 300)}`)
        return found(`${matches.length} notes.`, lines.join('\n'))
      })
    }
    case 'get': {
      const key = textIn(input, 'key', 200)
      return callOf('none', `read the note ${key}`, async () =>
        found(`The note ${key}:`, (await notes.get(workspace, key)).text),
      )
    }
    case 'set': {
      const key = textIn(input, 'key', 200)
      const text = textIn(input, 'text', LONGEST_NOTE)
      return callOf('memory', `write the note ${key}`, async () =>
        answer(`Kept as ${(await notes.set(workspace, key, text, sessionId)).key}.`),
      )
    }
    case 'delete': {
      const key = textIn(input, 'key', 200)
      return callOf('memory', `delete the note ${key}`, async () => {
        await notes.delete(workspace, key)
        return answer(`Deleted ${key}.`)
      })
    }
  }
}
