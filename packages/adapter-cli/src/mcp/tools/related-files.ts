/** `related_files`: the source files of the client's project that belong to a task, with reasons. */
import { existsSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { CairnError } from '@cairn/core'
import { z } from 'zod'
import { counted } from '../../terminal/format.ts'
import { fitting, named, shortLine } from '../quoted.ts'
import { WORKSPACE, defineTool } from '../tool.ts'

const DESCRIPTION = `Where to work: the source files of this project that belong to a task, best first, each with the reasons. Ask this before you search for files: it goes by paths, defined names and words, past commits with such subjects, what changes together, and what earlier sessions used for such requests. With file: what belongs to that file for the task.`

const PATH_SHOWN = 300
const REASONS_SHOWN = 240

/** The tool `related_files`: the source files that a task is about. */
export const relatedFiles = defineTool({
  name: 'related_files',
  title: 'Files that belong to a task',
  description: DESCRIPTION,
  hints: { readOnlyHint: true },
  input: z.strictObject({
    text: z.string().min(1).max(20_000).describe('What is to be done, in words.'),
    file: z.string().min(1).max(4096).optional().describe('A file that belongs to it, relative to the project.'),
    limit: z.int().min(1).max(100).default(15),
    workspace: WORKSPACE,
  }),
  /**
   * The tool `related_files`: files about a text or another file, best first. What is not indexed yet is indexed after
   * the answer. Rejects with `not-found` if the project's folder is not on this machine.
   */
  run: async ({ text, file, limit, workspace: asked }, { engine, project, signal }) => {
    const workspace = await project(asked)
    if (!isAbsolute(workspace) || !existsSync(workspace) || !statSync(workspace).isDirectory())
      throw new CairnError('not-found', `The files of ${named(workspace)} are not on this machine.`)
    const query = { roots: [workspace], text, limit, workspace, ...(file === undefined ? {} : { file }) }
    const { files, isMatched, unindexed } = await engine.related.find(query, signal)
    // A server lives on: the next question finds the index. It goes on after this answer.
    if (unindexed > 0) void engine.related.index([workspace]).catch(() => undefined)
    const rows = files.map(
      ({ path, why }) => `- ${shortLine(path, PATH_SHOWN)}\n  ${shortLine(why.join(' · '), REASONS_SHOWN)}`,
    )
    if (rows.length === 0) return { head: `No source file of ${named(workspace)} has anything to do with it.` }
    const shown = fitting(rows)
    return {
      head: isMatched
        ? `${counted(shown, 'file')} of ${named(workspace)}, best first.`
        : `No file of ${named(workspace)} has a word of it; these ${shown} were changed lately.`,
      body: rows.slice(0, shown).join('\n'),
      tail: shown < rows.length ? `The last ${rows.length - shown} were left out: ask for fewer.` : '',
    }
  },
})
