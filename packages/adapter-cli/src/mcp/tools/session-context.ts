/** `session_context`: what matters at a session's start, in one call. */
import { z } from 'zod'
import { MOST_QUOTED, named } from '../quoted.ts'
import { WORKSPACE, defineTool } from '../tool.ts'

const FEWEST_TOKENS = 200

const DESCRIPTION = `Call this first in a session: what is remembered of this project and which earlier sessions matter for the request, within a token budget. Then open details with memory, recall and get_session.`

export const sessionContext = defineTool({
  name: 'session_context',
  title: 'What matters for this session',
  description: DESCRIPTION,
  hints: { readOnlyHint: true },
  input: z.strictObject({
    request: z
      .string()
      .min(1)
      .max(8000)
      .optional()
      .describe('What the user wants, in their words; past sessions are chosen by it.'),
    branch: z.string().min(1).max(500).optional().describe('The git branch that is checked out.'),
    max_tokens: z.int().min(FEWEST_TOKENS).max(8000).default(3000),
    workspace: WORKSPACE,
  }),
  run: async ({ request, branch, max_tokens, workspace }, { engine, project, longTermMemory }) => {
    if (!longTermMemory)
      return {
        head: 'Long-term memory is off (--no-ltm): a session starts with nothing of earlier ones. What was said in them: recall.',
      }
    const path = await project(workspace)
    const within = async (maxTokens: number): Promise<string> =>
      (
        await engine.context.sessionStart({
          workspace: path,
          maxTokens,
          ...(request === undefined ? {} : { request }),
          ...(branch === undefined ? {} : { branch }),
        })
      ).text.trim()
    let text = await within(max_tokens)
    // The limit is in characters: fewer tokens are asked for until the text fits, so that no entry is cut.
    for (let tokens = max_tokens; text.length > MOST_QUOTED && tokens > FEWEST_TOKENS; text = await within(tokens))
      tokens = Math.max(FEWEST_TOKENS, Math.floor((tokens * MOST_QUOTED) / text.length) - FEWEST_TOKENS)
    return text === ''
      ? { head: `Nothing is known of ${named(path)} yet. Keep what you learn with remember.` }
      : { framed: text }
  },
})
