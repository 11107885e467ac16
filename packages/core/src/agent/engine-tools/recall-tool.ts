/** `recall`: searches all messages of this project's sessions, including this one and what was trimmed. */
import { escapedLine } from '../../memory/section-text.ts'
import type { SearchHit, SearchQuery } from '../../ports/search-index.ts'
import type { AgentTool } from '../agent-tool.ts'
import { callOf, countIn, found, optionalTextIn, textIn } from './tool-input.ts'

const MOST_HITS = 20
const SNIPPET_CHARACTERS = 700

export interface RecallPart {
  messages(query: SearchQuery): Promise<readonly SearchHit[]>
}

/**
 * The tool `recall`, which searches the messages of a workspace's sessions for words. Read-only. Up to `MOST_HITS` hits
 * (default 5) come best first, marked as data: each with its time, role, session and a part of the text on one line.
 */
export const recallTool = (recall: RecallPart, workspace: string): AgentTool => ({
  definition: {
    name: 'recall',
    description:
      "Searches everything that was said in this project's sessions, also what has left your context: messages, results, files that were touched. Words, not a question.",
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string' },
        file: { type: 'string', description: 'Only messages whose tools touched this file.' },
        limit: { type: 'integer', minimum: 1, maximum: MOST_HITS, description: 'Default 5.' },
      },
      required: ['query'],
    },
  },
  prepare: async (input) => {
    const text = textIn(input, 'query', 2000)
    const file = optionalTextIn(input, 'file', 1000)
    const limit = countIn(input, 'limit', MOST_HITS, 5)
    return callOf('none', `recall ${escapedLine(text, 80)}`, async () => {
      const hits = await recall.messages({ text, workspace, limit, ...(file === undefined ? {} : { file }) })
      return found(`${hits.length} messages, best first.`, hits.map(textOf).join('\n\n'))
    })
  },
})

const textOf = ({ sessionId, role, at, text }: SearchHit): string =>
  `${at === null ? 'at an unknown time' : new Date(at).toISOString().slice(0, 16)} ${role} in ${sessionId}:\n${escapedLine(text, SNIPPET_CHARACTERS)}`
