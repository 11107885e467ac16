/** `session_context`: what matters at a session's start, in one call. */
import { z } from 'zod'
import { EVERYWHERE } from '../projects.ts'
import { MOST_QUOTED, named } from '../quoted.ts'
import { defineTool } from '../tool.ts'
import type { Call } from '../tool.ts'

const FEWEST_TOKENS = 200

const DESCRIPTION = `Call this first in a session: what is remembered of this project and which earlier sessions matter for the request, within a token budget. Then open details with memory, recall and get_session.`

/** The tool `session_context`: memory and earlier sessions that matter for a request. */
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
    workspace: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe(
        'Project folder or name; "*" looks for sessions of all. Default: the current project, and sessions of all if none of its own matters.',
      ),
  }),
  /**
   * The tool `session_context`: what a session should know at its start, as long as fits; nothing with long-term memory
   * off.
   */
  run: async ({ request, branch, max_tokens, workspace: asked }, call) => {
    const { engine, longTermMemory } = call
    if (!longTermMemory)
      return {
        head: 'Long-term memory is off (--no-ltm): a session starts with nothing of earlier ones. What was said in them: recall.',
      }
    const { path, pastSessions } = await scopeOf(asked, call)
    /** The context within so many tokens, as text; '' if there is none. */
    const within = async (maxTokens: number): Promise<string> =>
      (
        await engine.context.sessionStart({
          maxTokens,
          pastSessions,
          ...(path === undefined ? {} : { workspace: path }),
          ...(request === undefined ? {} : { request }),
          ...(branch === undefined ? {} : { branch }),
        })
      ).text.trim()
    let text = await within(max_tokens)
    // The limit is in characters: fewer tokens are asked for until the text fits, so that no entry is cut.
    for (let tokens = max_tokens; text.length > MOST_QUOTED && tokens > FEWEST_TOKENS; text = await within(tokens))
      tokens = Math.max(FEWEST_TOKENS, Math.floor((tokens * MOST_QUOTED) / text.length) - FEWEST_TOKENS)
    if (text !== '') return { framed: text }
    const where = path === undefined ? 'of any project' : `of ${named(path)}`
    return {
      head:
        path === undefined && request === undefined
          ? 'Which project? Give "request", for which earlier sessions of all projects are looked up, or "workspace".'
          : `Nothing is known ${where} yet. Keep what you learn with remember.`,
    }
  },
})

/**
 * The project whose memory is wanted, undefined for none, and where earlier sessions are looked for: `project-first`
 * where the project was only guessed from the folder.
 */
const scopeOf = async (
  asked: string | undefined,
  call: Call,
): Promise<{ readonly path: string | undefined; readonly pastSessions: 'project' | 'project-first' | 'all' }> => {
  if (asked !== undefined && asked !== EVERYWHERE) return { path: await call.project(asked), pastSessions: 'project' }
  const own = await call.ownProject()
  if (own === undefined || asked === EVERYWHERE || call.isEverywhere) return { path: own?.path, pastSessions: 'all' }
  return { path: own.path, pastSessions: own.chosen ? 'project' : 'project-first' }
}
