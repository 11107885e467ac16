/** `session_context`: what matters at a session's start, in one call. */
import { z } from 'zod'
import { WORKSPACE, defineTool } from '../tool.ts'

const DESCRIPTION = `Call this first in a session: what is remembered of this project and which earlier sessions matter for the request, within a token budget. Then open details with memory, recall and get_session.`

export const sessionContext = defineTool({
  name: 'session_context',
  title: 'What matters for this session',
  description: DESCRIPTION,
  hints: { readOnlyHint: true },
  input: z.strictObject({
    request: z.string().min(1).max(8000).optional().describe('What the user wants, in their words; past sessions are chosen by it.'),
    branch: z.string().min(1).max(500).optional().describe('The git branch that is checked out.'),
    max_tokens: z.int().min(200).max(8000).default(3000),
    workspace: WORKSPACE,
  }),
  run: async ({ request, branch, max_tokens, workspace }, { engine, project, longTermMemory }) => {
    if (!longTermMemory) return { text: 'Long-term memory is off (--no-ltm): a session starts with nothing of earlier ones. What was said in them: recall.' }
    const path = await project(workspace)
    const start = await engine.sessionStart({ workspace: path, maxTokens: max_tokens, ...(request === undefined ? {} : { request }), ...(branch === undefined ? {} : { branch }) })
    const text = start.text.trim()
    return {
      // It comes delimited and escaped.
      text: text === '' ? `Nothing is known of ${path} yet. Keep what you learn with remember.` : text,
      data: {
        workspace: path,
        tokens: start.tokens,
        entries: start.memory.entries.map(({ id }) => id),
        sessions: start.related.sessions.map(({ sessionId }) => sessionId),
      },
    }
  },
})
