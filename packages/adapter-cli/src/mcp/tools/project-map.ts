/** `project_map`: the project's folders, manifests and entry points in a few tokens, and what changed since. */
import { z } from 'zod'
import { counted } from '../../terminal/format.ts'
import { named } from '../quoted.ts'
import { WORKSPACE, defineTool } from '../tool.ts'
import type { Call } from '../tool.ts'

const DESCRIPTION = `A map of the project within max_tokens, for finding your way: folders with how many files they hold, manifests, entry points, and the exported names of the files that you give, or that belong to text. Call it once; later call it with since (the tree that it named) and be told only what was added, removed and changed.`

/** More files never fit into their share of the tokens. */
const MOST_RELATED = 20

/** The tool `project_map`: a map of the project within a number of tokens. */
export const projectMapTool = defineTool({
  name: 'project_map',
  title: 'Map of the project',
  description: DESCRIPTION,
  hints: { readOnlyHint: true },
  input: z.strictObject({
    max_tokens: z.int().min(100).max(6000).default(1000),
    files: z
      .array(z.string().min(1).max(4096))
      .max(40)
      .optional()
      .describe('Paths from the project on, whose exported names are wanted.'),
    text: z
      .string()
      .min(1)
      .max(20_000)
      .optional()
      .describe('A task: the files that belong to it, with exported names.'),
    since: z.string().min(1).max(64).optional().describe('The tree of an earlier map: only changes since are told.'),
    workspace: WORKSPACE,
  }),
  /** The tool `project_map`: a map of the folder, or what changed since an earlier one. */
  run: async ({ max_tokens, files = [], text: task, since, workspace }, call) => {
    const { sourceFolder, dataFolder, signal } = call
    // Loaded by the first call: a server that only lists its tools does without.
    const { createWorkspaceFiles, openProjectMaps } = await import('@cairn/core/node/sources')
    const folder = await sourceFolder(workspace)
    const maps = openProjectMaps(createWorkspaceFiles([folder]), dataFolder)
    if (since !== undefined) {
      const { text, tree } = await maps.changes(since, { tokens: max_tokens, signal })
      return text === ''
        ? { head: `Nothing has changed in ${named(folder)} since that map.` }
        : { head: `What changed in ${named(folder)}; the tree is now ${tree}.`, body: text }
    }
    const found = task === undefined && files.length > 0 ? [] : await relatedPaths(task, folder, workspace, call)
    const map = await maps.make({ tokens: max_tokens, related: [...new Set([...files, ...found])], signal })
    return {
      head: `${named(folder)}, about ${counted(map.tokens, 'token')}.`,
      body: map.text,
      tail: `Tree ${map.tree}: give it as since to be told what changed.`,
    }
  },
})

/**
 * The paths of at most `MOST_RELATED` files related to the task or, without one, to the project's focus, best first;
 * empty without either. Rejects as the store does.
 */
const relatedPaths = async (
  task: string | undefined,
  folder: string,
  asked: string | undefined,
  { engine, project, signal }: Call,
): Promise<readonly string[]> => {
  const workspace = await project(asked)
  const text = task ?? (await engine.focus.get(workspace))
  if (text === undefined) return []
  const { files } = await engine.related.find({ roots: [folder], text, workspace, limit: MOST_RELATED }, signal)
  return files.map(({ path }) => path)
}
