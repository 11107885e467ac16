/** What a checkpoint leaves out, and why. A restore neither writes nor removes any of it. */
import { isJsonObject } from '../json.ts'
import type { LeftOutSummary } from '../ports/checkpoint-storage.ts'
import type { LeftOutFile } from '../ports/snapshot-repository.ts'
import type { BytePath } from './byte-path.ts'

/**
 * `ignored` by git's rules; `secret` by its name; `too-large`; `unreadable`: no permission; `changing`: written to
 * while being read; `special`: a socket, a pipe or a device; `reserved`: a name that stands for a repository's own
 * folder; `own-data`: Cairn's.
 */
const LEFT_OUT_REASONS = [
  'secret',
  'too-large',
  'changing',
  'unreadable',
  'special',
  'reserved',
  'own-data',
  'ignored',
] as const
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number]

const REASON_WORDS: Readonly<Record<LeftOutReason, string>> = {
  secret: 'named like a secret',
  'too-large': 'over 10 MB',
  changing: 'being written to',
  unreadable: 'not readable',
  special: 'no file, folder or link',
  reserved: 'named like git’s own folder',
  'own-data': 'Cairn’s own data',
  ignored: 'ignored by git’s rules',
}

/** The reason why a file was left out, in words; an unknown reason of a later version is returned unchanged. */
export const leftOutWords = (reason: string): string => {
  const known = LEFT_OUT_REASONS.find((each) => each === reason)
  return known === undefined ? reason : REASON_WORDS[known]
}

export interface LeftOut {
  /** A file, or a folder with all its content. */
  readonly path: BytePath
  readonly isFolder: boolean
  readonly reason: LeftOutReason
  /** Size in bytes, for a file that is too large. */
  readonly size?: number
}

/** Larger files are left out, bytes. */
export const LARGEST_FILE = 10 * 1024 * 1024

/** Names of files that contain keys or passwords. Examples of them, such as `.env.example`, are kept. */
const SECRET_NAMES = [
  /^\.env(?!.*\.(?:example|sample|template|dist)$)(?:\..+)?$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /^\.(?:netrc|pgpass|htpasswd|git-credentials)$/,
  /^(?:credentials|service-account)(?:[-_.].*)?\.json$/,
]
/** Combined into one pattern, because every file name is tested. */
const SECRET_NAME = new RegExp(SECRET_NAMES.map(({ source }) => source).join('|'), 'i')

/** Whether a file name (without its folder, ignoring case) suggests a secret. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name)

/**
 * Creates a lookup of why a path was left out: itself, with its nearest parent folder, or because a file stood where
 * its folder would be. The lookup returns undefined if it was not left out.
 */
export const createLeftOutLookup = (all: readonly LeftOut[]): ((path: BytePath) => LeftOut | undefined) => {
  const byPath = new Map(all.map((each) => [each.path, each]))
  return (path) => {
    const own = byPath.get(path)
    if (own !== undefined) return own
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const above = byPath.get(path.slice(0, slash))
      if (above !== undefined) return above
    }
    return undefined
  }
}

/** Maximum number of files named in a record. */
const NAMED = 50
/** Maximum characters of a path in a record. */
const LONGEST_NAMED = 1_000

/**
 * What a checkpoint's record stores about files left out: the number of all, and the first `NAMED` of them, ordered by
 * reason (secrets first, files ignored by git last) and path, with paths cut to `LONGEST_NAMED` characters.
 */
export const leftOutSummary = (all: readonly LeftOutFile[]): LeftOutSummary => {
  const rank = ({ reason }: LeftOutFile): number => LEFT_OUT_REASONS.findIndex((known) => known === reason)
  const named = [...all]
    .sort((left, right) => rank(left) - rank(right) || (left.path < right.path ? -1 : 1))
    .slice(0, NAMED)
    .map((each) => ({ ...each, path: each.path.slice(0, LONGEST_NAMED).toWellFormed() }))
  return { count: all.length, named }
}

/** Serialises what was left out of a snapshot as JSON, sorted by path; the order of the input does not matter. */
export const leftOutText = (all: readonly LeftOut[]): string =>
  JSON.stringify([...all].sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0)))

/**
 * Parses the text written by `leftOutText`.
 * @throws Error, SyntaxError included, for any other text
 */
export const parseLeftOut = (text: string): readonly LeftOut[] => {
  const value: unknown = JSON.parse(text)
  if (!Array.isArray(value)) throw new Error('what was left out is no list')
  return value.map((each: unknown): LeftOut => {
    if (!isJsonObject(each)) throw new Error('what was left out is no list of files')
    const { path, isFolder, reason, size } = each
    const known = LEFT_OUT_REASONS.find((one) => one === reason)
    if (typeof path !== 'string' || known === undefined) throw new Error('a file that was left out is not named')
    return { path, isFolder: isFolder === true, reason: known, ...(typeof size === 'number' ? { size } : {}) }
  })
}
