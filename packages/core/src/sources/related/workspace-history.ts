/** The last commits of a workspace, asked of git once for each commit that is checked out, and kept in the cache. */
import type { SourceAccess } from '../../ports/source-access.ts'
import { LOG_OPTIONS, parseLog } from './commits.ts'
import type { Commit } from './commits.ts'

const MOST_COMMITS = 2_000
const LOG_ARGUMENTS = ['-n', String(MOST_COMMITS), '--relative', ...LOG_OPTIONS]

/** The commits of one folder, newest first; empty without git. */
export interface WorkspaceHistory {
  commits(): Promise<readonly Commit[]>
}

/**
 * Creates the history of a folder. `commits` returns its commits, newest first, at most 2,000, read again when HEAD has
 * changed; empty outside of a repository. `name` identifies the cache entry.
 */
export const createWorkspaceHistory = (access: SourceAccess, folder: string, name: string): WorkspaceHistory => {
  let known: { readonly head: string; readonly commits: readonly Commit[] } | undefined
  return {
    commits: async () => {
      const head = await access.head(folder)
      if (head === undefined) return []
      if (known?.head !== head) known = { head, commits: parseLog(await logOf(access, folder, name, head)) }
      return known.commits
    },
  }
}

/**
 * The log up to the commit `head`, from the cache (whose first line is the commit that it is for) or from git, which
 * then fills the cache; empty if git fails.
 */
const logOf = async (access: SourceAccess, folder: string, name: string, head: string): Promise<string> => {
  const { cache } = access
  const cached = await cache.read(name)
  const text = cached === undefined ? '' : new TextDecoder().decode(cached.bytes)
  if (text.startsWith(`${head}\n`)) return text.slice(head.length + 1)
  const output = await access.log(folder, head, LOG_ARGUMENTS)
  if (output === undefined) return ''
  await cache.write(name, new TextEncoder().encode(`${head}\n${output}`))
  return output
}
