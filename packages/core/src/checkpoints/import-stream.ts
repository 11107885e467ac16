/** The commands read by `git fast-import`, as byte strings with one character per byte. */
import type { GitMode } from './attributes.ts'
import type { BytePath } from './byte-path.ts'

/** A path as fast-import expects it: quoted, with all but plain ASCII as octal bytes. */
const quotedPath = (path: BytePath): string =>
  `"${path.replace(/[^ !#-[\]-~]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`

/** The folder of the captured files in a snapshot's tree. */
export const FILES_FOLDER = 'files'
/** Files beside it: permissions and empty folders, and what was left out. */
export const ATTRIBUTES_FILE = 'attributes.json'
export const LEFT_OUT_FILE = 'left-out.json'

export interface CommitHead {
  readonly ref: string
  /** ms; git keeps whole seconds. */
  readonly at: number
  readonly message: string
  /** The tree of files on which this one is based. */
  readonly baseTree: string | undefined
}

/**
 * Starts a commit without parents, based on `baseTree` or on an empty tree. `at` is in ms, stored in whole seconds;
 * `message` is bytes.
 */
export const commitCommand = ({ ref, at, message, baseTree }: CommitHead): string =>
  [
    `commit ${ref}`,
    'mark :1',
    `committer Cairn <cairn@localhost> ${Math.max(0, Math.floor(at / 1000))} +0000`,
    `data ${message.length}`,
    message,
    ...(baseTree === undefined ? [] : [`M 040000 ${baseTree} ${FILES_FOLDER}`]),
    '',
  ].join('\n')

/**
 * Removes a file from the commit; a folder's path removes everything below it. All removals precede the writes, because
 * a file may replace a folder.
 */
export const deleteCommand = (path: BytePath): string => `D ${quotedPath(`${FILES_FOLDER}/${path}`)}\n`

/** Starts a blob of `size` bytes in git's fast-import stream; the bytes and a line break follow. */
export const blobCommand = (size: number): string => `blob\ndata ${size}\n`

/** Adds existing content, by its git id, to the commit. Other entries of the commit stay. */
export const fileCommand = (path: BytePath, gitMode: GitMode, blob: string): string =>
  `M ${gitMode} ${blob} ${quotedPath(`${FILES_FOLDER}/${path}`)}\n`

/** Adds a text (bytes, one character each) beside the files in git's fast-import stream; its line break follows. */
export const inlineCommand = (name: string, text: string): string =>
  `M 100644 inline ${name}\ndata ${text.length}\n${text}\n`

/** Ends the commit and asks for its id and that of its tree of files. Nothing can be sent after it. */
export const endCommand = (): string => `get-mark :1\nls :1 ${FILES_FOLDER}\ndone\n`

export interface ImportAnswer {
  readonly commit: string
  /** Undefined for a commit without files. */
  readonly tree: string | undefined
}

const ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

/**
 * Parses fast-import's answer to `endCommand`; undefined unless its first line is a commit's id. `tree` is undefined if
 * the commit has no files, or the second line names no tree.
 */
export const parseImportAnswer = (text: string): ImportAnswer | undefined => {
  const [commit = '', listed = ''] = text.split('\n')
  if (!ID.test(commit)) return undefined
  const tree = /^040000 tree ([0-9a-f]+)\t/.exec(listed)?.[1]
  return { commit, tree }
}
