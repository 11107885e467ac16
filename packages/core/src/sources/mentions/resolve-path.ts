/** Which file or folder a mention means, of all ways to read it. */
import type { FileContent, ReadRefusal, WorkspaceFile, WorkspaceFiles } from '../../ports/workspace-files.ts'
import { attachmentType, LARGEST_ATTACHMENT } from './attachment.ts'
import type { LineRange, MentionTarget } from './mention.ts'
import { visibleName } from './delimited.ts'
import { workspacePath } from './workspace-path.ts'

/** In bytes. Larger texts are not read, because nobody means all of them. */
export const LARGEST_TEXT = 2_000_000

/** What a mentioned path leads to. `gone`: nothing is there; `refused`: it exists but is not sent. */
export type ResolvedPath =
  | { readonly kind: 'file'; readonly path: string; readonly lines?: LineRange; readonly content: Uint8Array }
  | { readonly kind: 'folder'; readonly path: string; readonly files: readonly WorkspaceFile[] }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'gone' }

/** A mention of a file or folder. */
export type PathTarget = Extract<MentionTarget, { readonly kind: 'path' }>

/**
 * Returns what is found at a path: a file with its bytes, or a folder with its files. `gone` if nothing is there.
 * `refused`, with a sentence, if it exists and is not sent (too large, binary, unreadable, neither file nor folder).
 * @param isCertain nothing but a path can be meant: one that is ignored or leads out of the workspace is then
 * `refused`, otherwise `gone`
 * @param list returns the workspace's files; called only if a folder may be meant
 */
export const resolvePath = async (
  { path: given, lines }: PathTarget,
  isCertain: boolean,
  files: Pick<WorkspaceFiles, 'roots' | 'read'>,
  list: () => Promise<readonly WorkspaceFile[]>,
): Promise<ResolvedPath> => {
  const found = workspacePath(
    given,
    files.roots.map(({ folder }) => folder),
  )
  if (found.path === undefined) return isCertain ? refused(given, { refused: 'outside' }) : { kind: 'gone' }
  const { path, isFolder = false } = found
  const outcome = isFolder
    ? await folderOnly(path, isCertain, files, list)
    : await fileAt(path, lines, isCertain, files, list)
  // `/etc/hosts` is no `etc/hosts` of the workspace.
  return outcome.kind === 'gone' && 'outside' in found && isCertain ? refused(given, { refused: 'outside' }) : outcome
}

/**
 * A folder with all files below it, or why none of it is sent; `gone` if nothing is there, or a file. Unless
 * `isCertain`, what is refused is `gone`, too.
 */
const folderOnly = async (
  path: string,
  isCertain: boolean,
  files: Pick<WorkspaceFiles, 'read'>,
  list: () => Promise<readonly WorkspaceFile[]>,
): Promise<ResolvedPath> => {
  const folder = await folderAt(path, list)
  if (folder.kind !== 'gone') return folder
  if (path === '') return refused('./', { refused: 'not-a-file' })
  const found = await files.read(path, 0)
  if ('content' in found || found.refused === 'too-large') return { kind: 'gone' }
  return found.refused === 'gone' || !isCertain ? { kind: 'gone' } : refused(`${path}/`, found)
}

/** A folder with all files below it; `gone` if there are none. '' is the whole workspace. */
const folderAt = async (path: string, list: () => Promise<readonly WorkspaceFile[]>): Promise<ResolvedPath> => {
  const all = await list()
  const files = path === '' ? all : all.filter((file) => file.path.startsWith(`${path}/`))
  return files.length === 0 ? { kind: 'gone' } : { kind: 'folder', path, files }
}

/**
 * A file with its bytes, a folder if the path is one, or why it is not sent. An ignored one is `gone` unless the
 * mention is certain.
 */
const fileAt = async (
  path: string,
  lines: LineRange | undefined,
  isCertain: boolean,
  files: Pick<WorkspaceFiles, 'read'>,
  list: () => Promise<readonly WorkspaceFile[]>,
): Promise<ResolvedPath> => {
  const isAttachment = attachmentType(path) !== undefined
  const content: FileContent = isAttachment
    ? await files.read(path, LARGEST_ATTACHMENT, { isBinaryWanted: true })
    : await files.read(path, LARGEST_TEXT)
  if ('content' in content)
    return { kind: 'file', path, content: content.content, ...(lines === undefined ? {} : { lines }) }
  if (content.refused === 'gone') return { kind: 'gone' }
  if (content.refused === 'not-a-file' && lines === undefined) {
    const folder = await folderAt(path, list)
    if (folder.kind !== 'gone') return folder
  }
  // Whether there is an ignored file of that name was not looked at.
  return content.refused === 'ignored' && !isCertain
    ? { kind: 'gone' }
    : refused(path, content, isAttachment ? LARGEST_ATTACHMENT : LARGEST_TEXT)
}

/**
 * A path that is not sent, with the sentence why.
 * @param maxBytes the limit that it exceeded, if it is too large
 */
const refused = (
  path: string,
  { refused: refusal, by }: { readonly refused: ReadRefusal; readonly by?: string },
  maxBytes: number = LARGEST_TEXT,
): ResolvedPath => ({ kind: 'refused', reason: refusalText(path, refusal, maxBytes, by) })

/**
 * Returns one sentence for the user: why a file is not sent and, if something can be done, what. `maxBytes` is the
 * limit that `too-large` names, `by` the ignore file that `ignored` names.
 */
export const refusalText = (path: string, refusal: ReadRefusal, maxBytes: number, by?: string): string => {
  const name = visibleName(path)
  switch (refusal) {
    case 'gone':
      return `${name} is not in the workspace; nothing of it is sent.`
    case 'outside':
      return `${name} is outside of the workspace, or a link leads there; it is not sent.`
    case 'ignored':
      if (by === '.git') return `${name} lies in git's own folder; it is not sent.`
      return `${name} is ignored by ${by === undefined ? '.gitignore, .cairnignore or .clineignore' : visibleName(by)}; it is not sent.`
    case 'too-large':
      return `${name} has more than ${maxBytes / 1e6} MB; it is not sent. Copy the part that matters into a smaller file.`
    case 'binary':
      return `${name} is no text; it is not sent.`
    case 'not-a-file':
      return `${name} is neither a file nor a folder with files that are not ignored; it is not sent.`
    case 'unreadable':
      return `${name} can't be read; it is not sent. Look at its permissions.`
  }
}
