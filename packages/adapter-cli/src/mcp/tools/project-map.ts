/** `project_map`: the project's folders, manifests and entry points in a few tokens, and what changed since. */
import { createWorkspaceFiles, openProjectMaps } from '@cairn/core/node/sources'
import { z } from 'zod'
import { counted } from '../../terminal/format.ts'
import { named } from '../quoted.ts'
import { WORKSPACE, defineTool } from '../tool.ts'

const DESCRIPTION = `A map of the project within max_tokens, for finding your way: folders with how many files they hold, manifests, entry points, and the exported names of the files that you give. Call it once; later call it with since (the tree that it named) and be told only what was added, removed and changed.`

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
    since: z.string().min(1).max(64).optional().describe('The tree of an earlier map: only changes since are told.'),
    workspace: WORKSPACE,
  }),
  run: async ({ max_tokens, files = [], since, workspace }, { sourceFolder, dataFolder, signal }) => {
    const folder = await sourceFolder(workspace)
    const maps = openProjectMaps(createWorkspaceFiles([folder]), dataFolder)
    if (since !== undefined) {
      const { text, tree } = await maps.changes(since, { tokens: max_tokens, signal })
      return text === ''
        ? { head: `Nothing has changed in ${named(folder)} since that map.` }
        : { head: `What changed in ${named(folder)}; the tree is now ${tree}.`, body: text }
    }
    const map = await maps.make({ tokens: max_tokens, related: files, signal })
    return {
      head: `${named(folder)}, about ${counted(map.tokens, 'token')}.`,
      body: map.text,
      tail: `Tree ${map.tree}: give it as since to be told what changed.`,
    }
  },
})
