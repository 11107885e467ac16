/** Who changed a file: what is looked at, and what is said about it. */

/**
 * `agent`: an agent wrote these bytes. `agent-tool`: a command that an agent ran. `formatter`: what an agent wrote moments
 * before, in another form. `git`: a git command of the agent or the user that was announced. `restored`: a content that was
 * there before is back, whoever brought it. `person`: anybody else, the user first of all. `nothing`: the bytes are the same.
 * `unsure`: what happened can't be told from the bytes and times.
 */
export type ChangeVerdict = 'agent' | 'agent-tool' | 'formatter' | 'person' | 'git' | 'restored' | 'nothing' | 'unsure'

export interface FileContent {
  /** SHA-256 of the bytes, hex. */
  readonly hash: string
  /** The same for all contents that differ in form only; absent where there is none (`textShape`). */
  readonly shape?: string
}

/** A file as it was found. Times are ms. */
export interface FileLook {
  readonly path: string
  /** When it was looked at. */
  readonly at: number
  /** Null: there is no file. */
  readonly content: FileContent | null
  /** Time of the last write that the system tells. Of a missing file: when it can have gone at the latest. */
  readonly modifiedAt: number
  /** Time of the last change of content, name or permissions; the same of a missing file. */
  readonly changedAt: number
  /** Whether git has these bytes; asked for after a git command only. */
  readonly isKnownToGit?: boolean
}

/** What a change is put down to. */
export interface FileVerdict {
  readonly path: string
  readonly verdict: ChangeVerdict
  /** When it was changed, ms, as far as the system tells. */
  readonly at: number
  /** The agent by its name, for `agent` and `agent-tool`; of `restored`, who had made that content. */
  readonly author: string | null
  /** SHA-256 of the content, hex; null: the file is gone. */
  readonly hash: string | null
}

/** A time in which a command of the agent's, or git, may change some files. */
export interface CommandSpan {
  readonly kind: 'shell' | 'git'
  /** Whose command it is. */
  readonly agent: string
  /** Absolute paths of files, or of folders for all below. Only these are put down to the command. */
  readonly paths: readonly string[]
  readonly startedAt: number
}

/** Decides who changed which file. Paths are absolute; the caller serialises what concerns one path. */
export interface Attribution {
  /** The first look at a file: what it holds is nobody's change. Does nothing for a file that was begun already. */
  begin(look: FileLook): void
  /**
   * An agent is about to write `content` (null: to delete), once the file was looked at as it is. Nothing for a file
   * that was never begun.
   */
  intend(path: string, content: FileContent | null, agent: string, at: number): void
  /** The write that was announced last did not happen. */
  withdraw(path: string): void
  /**
   * Says what a look shows against the one before, and remembers it. @throws RangeError for a file that was never begun
   */
  judge(look: FileLook): FileVerdict
  /** A command starts, once its files were looked at; the answer ends it, before they are looked at again. */
  command(span: CommandSpan): (endedAt: number) => void
  /** Whether a look at the path should find out what git knows. */
  asksGit(path: string): boolean
  /** Whether a command that has not ended may be at work on the path; `kind`: only one of these. */
  isAtWork(path: string, kind?: CommandSpan['kind']): boolean
  /** Whether it is announced that the file will hold this, and no write of it was seen yet. */
  isExpected(path: string, content: FileContent | null): boolean
  /** A file is known under another name from now on: what was known of both names is put together. */
  move(from: string, to: string): void
  /** Forgets all that is known of a file: it must be begun again. */
  forget(path: string): void
}
