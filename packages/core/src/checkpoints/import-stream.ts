/** The commands that `git fast-import` reads, as byte strings: a character stands for a byte. */
import type { GitMode } from './attributes.ts'
import type { BytePath } from './byte-path.ts'

/** A path as fast-import reads it: in quotes, all but plain ASCII as octal bytes. */
const quotedPath = (path: BytePath): string =>
  `"${path.replace(/[^ !#-[\]-~]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`

/** Where in a snapshot's tree the captured files are. */
export const FILES_FOLDER = 'files'
/** Beside them: permissions and empty folders, and what was left out. */
export const ATTRIBUTES_FILE = 'attributes.json'
export const LEFT_OUT_FILE = 'left-out.json'

export interface CommitHead {
  readonly ref: string
  /** ms; git keeps whole seconds. */
  readonly at: number
  readonly message: string
  /** The tree of files that this one starts from. */
  readonly baseTree: string | undefined
}

/**
 * The command that begins a commit without parents on `baseTree`, or on an empty tree. `at`: ms, whole seconds are
 * kept. `message`: bytes.
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
 * Takes a file out of the commit. All of them come before what is written: a file may stand where a folder was. A
 * folder's path takes out all below it.
 */
export const deleteCommand = (path: BytePath): string => `D ${quotedPath(`${FILES_FOLDER}/${path}`)}\n`

/** Begins a content of `size` bytes in git's fast-import stream; they follow, and a line break. */
export const blobCommand = (size: number): string => `blob\ndata ${size}\n`

/** Puts a content that git has, by its id, into the commit. Other entries of the commit stay. */
export const fileCommand = (path: BytePath, gitMode: GitMode, blob: string): string =>
  `M ${gitMode} ${blob} ${quotedPath(`${FILES_FOLDER}/${path}`)}\n`

/** Puts a text (bytes, a character each) beside the files, in git's fast-import stream; its line break follows. */
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
 * What fast-import answered to endCommand; undefined for anything else. `tree` is undefined where the commit has no
 * files.
 */
export const parseImportAnswer = (text: string): ImportAnswer | undefined => {
  const [commit = '', listed = ''] = text.split('\n')
  if (!ID.test(commit)) return undefined
  const tree = /^040000 tree ([0-9a-f]+)\t/.exec(listed)?.[1]
  return { commit, tree }
}
