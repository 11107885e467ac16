/**
 * Recognises commands that change nothing, by their words alone: `git status`, `ls -la src`, `rg -n total src | head
 * -20`. Anything not known to be harmless is excluded: an unknown program, an option that writes or runs something, an
 * expansion.
 */
import { simpleCommands, type ShellWord, type SimpleCommand } from './shell-words.ts'

export interface ReadOnlyCommand {
  /** Words that may be paths, relative to the command's folder. Their targets, or only their names, are read. */
  readonly paths: readonly string[]
  /** Set if it reads files that it finds itself. */
  readonly finds?: FoundByCommand
}

/** Every file of a folder, or those that git does not ignore; the person's own ignore files affect neither. */
export type FoundByCommand = 'every-file' | 'what-git-lists'

interface Program {
  /** Long options, including their abbreviations, and letters of short ones. */
  readonly forbidden?: readonly string[]
  readonly forbiddenLetters?: string
  /** File names may be patterns. Absent if contents are read, because some files may have to be left out. */
  readonly takesPatterns?: true
  /** An additional condition. */
  readonly check?: (words: readonly string[]) => boolean
  readonly finds?: (words: readonly string[]) => FoundByCommand | undefined
}

const always = (): boolean => true
const isOption = (word: string): boolean => word.startsWith('-') && word !== '-' && word !== '--'
const operands = (words: readonly string[]): readonly string[] => words.filter((word) => !isOption(word))
const findsWhenRecursive = (words: readonly string[]): FoundByCommand | undefined =>
  words.some((word) => /^-[A-Za-z0-9]*[rR]/.test(word) || /^--(?:r|de)/.test(word)) ? 'every-file' : undefined
const findsByGit = (): FoundByCommand => 'what-git-lists'

const NAMES: Program = { takesPatterns: true }
const CONTENTS: Program = {}
const CHECKSUM: Program = { forbiddenLetters: 'c', forbidden: ['--check'] }
const GREP: Program = {
  forbiddenLetters: 'fd',
  forbidden: ['--file', '--directories', '--devices'],
  finds: findsWhenRecursive,
}

/** Names a file with the names of those to read: nobody has looked at these. */
const FILES_FROM = '--files0-from'
const FIND_ACTIONS = /^-(?:exec|ok|delete|fprint|fls|files0-from)/
const SED_PRINT = /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/

const PROGRAMS: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...['ls', 'stat', 'basename', 'dirname', 'realpath', 'readlink'].map((name) => [name, NAMES] as const),
  ...['pwd', 'echo', 'true', 'false', 'which', 'whoami', 'uname', 'id'].map((name) => [name, NAMES] as const),
  ...['cat', 'head', 'nl', 'cut', 'cmp', 'comm', 'tr', 'rev', 'tac', 'od'].map((name) => [name, CONTENTS] as const),
  ['du', { ...NAMES, forbidden: [FILES_FROM] }],
  ['wc', { forbidden: [FILES_FROM] }],
  // `@list` is a file with further options and files.
  ['strings', { check: (words) => !words.some((word) => word.startsWith('@')) }],
  ...['md5sum', 'sha1sum', 'sha256sum', 'cksum'].map((name) => [name, CHECKSUM] as const),
  ...['grep', 'egrep', 'fgrep'].map((name) => [name, GREP] as const),
  ['tail', { forbiddenLetters: 'fF', forbidden: ['--follow', '--retry'] }],
  [
    'sort',
    { forbiddenLetters: 'oTS', forbidden: ['--output', '--temporary-directory', '--compress-program', FILES_FROM] },
  ],
  ['uniq', { check: (words) => operands(words).length <= 1 }],
  ['diff', { forbiddenLetters: 'r', forbidden: ['--recursive'] }],
  ['tree', { ...NAMES, forbiddenLetters: 'oR', check: (words) => !words.some((word) => word.startsWith('--')) }],
  ['find', { ...NAMES, check: (words) => !words.some((word) => FIND_ACTIONS.test(word)) }],
  ['date', { check: (words) => words.every((word) => word === '-u' || word.startsWith('+')) }],
  // Its other commands write and run things.
  [
    'sed',
    {
      check: ([option, script = '']) => option === '-n' && SED_PRINT.test(script),
      forbiddenLetters: 'iefEs',
      forbidden: ['--'],
    },
  ],
  [
    'rg',
    {
      forbiddenLetters: 'ufLz',
      forbidden: ['--pre', '--hostname-bin', '--no-ignore', '--unrestricted', '--file', '--follow', '--search-zip'],
      finds: findsByGit,
    },
  ],
])

const GIT_FORBIDDEN = [
  '--output',
  '--ext-diff',
  '--open-files-in-pager',
  '--no-index',
  '--untracked',
  '--exec',
  '--exclude-standard',
]
const GIT_LISTING = /^(?:-[arvl]+|--(?:list|all|remotes|verbose|show-current))$/
const isListing = (words: readonly string[]): boolean => words.every((word) => GIT_LISTING.test(word))

/** Git's commands, with the condition for their arguments. */
const GIT_COMMANDS: ReadonlyMap<string, (words: readonly string[]) => boolean> = new Map([
  ...['status', 'diff', 'log', 'show', 'rev-parse', 'ls-files', 'ls-tree', 'blame', 'shortlog', 'describe'].map(
    (name) => [name, always] as const,
  ),
  ...['merge-base', 'grep', 'rev-list', 'cat-file', 'diff-tree', 'show-ref'].map((name) => [name, always] as const),
  ...['branch', 'tag', 'remote'].map((name) => [name, isListing] as const),
  ['stash', ([first]) => first === 'list'],
  ['worktree', ([first]) => first === 'list'],
])

/** Programs that may be asked for their version. */
const VERSIONED = new Set(
  'node npm pnpm yarn bun deno git python python3 pip go cargo rustc java javac ruby php gcc clang make tsc'.split(' '),
)
const VERSION_OPTIONS = new Set(['--version', '-v', '-V', '-version', 'version'])

/**
 * The words of a shell command line that may be paths, and whether it also reads files that it finds itself, if all its
 * commands are known to change nothing. Undefined if one may change something or is unknown, and for a blank line. Only
 * examines the words; runs nothing.
 */
export const readOnlyCommand = (line: string): ReadOnlyCommand | undefined => {
  const commands = simpleCommands(line)
  if (commands === undefined || commands.length === 0) return undefined
  const read = commands.map(readOnlySimple)
  const known = read.filter((one) => one !== undefined)
  if (known.length < read.length) return undefined
  const found = known.flatMap(({ finds }) => finds ?? [])
  const finds = found.find((one) => one === 'every-file') ?? found[0]
  return { paths: known.flatMap(({ paths }) => paths), ...(finds === undefined ? {} : { finds }) }
}

/**
 * The words of a simple command that may be paths (all but options, and what follows `=` in these), if it is known to
 * change nothing; undefined if it might.
 */
const readOnlySimple = (command: SimpleCommand): ReadOnlyCommand | undefined => {
  const [program, ...given] = command
  if (program === undefined || program.isPattern) return undefined
  const words = given.map(({ text }) => text)
  const [only] = words
  if (words.length === 1 && only !== undefined && VERSIONED.has(program.text) && VERSION_OPTIONS.has(only))
    return { paths: [] }
  const rules = program.text === 'git' ? gitRules(words) : PROGRAMS.get(program.text)
  if (rules === undefined || !isAllowed(rules, given)) return undefined
  const finds = rules.finds?.(words)
  return { paths: words.flatMap(pathsIn), ...(finds === undefined ? {} : { finds }) }
}

/** These show contents of any file that is or was tracked. */
const GIT_CONTENTS = new Set(['diff', 'show', 'log', 'grep', 'cat-file', 'diff-tree', 'blame', 'stash'])

/**
 * The rules for git's words; undefined unless the subcommand is known to read, and with such words (`branch` and `tag`
 * only to list). That no option makes it write or run something is checked by these rules, not here.
 */
const gitRules = ([name = '', ...words]: readonly string[]): Program | undefined =>
  GIT_COMMANDS.get(name)?.(words) === true
    ? {
        forbidden: GIT_FORBIDDEN,
        takesPatterns: true,
        ...(GIT_CONTENTS.has(name) ? { finds: findsByGit } : {}),
        ...(name === 'grep' ? { forbiddenLetters: 'Of' } : {}),
      }
    : undefined

/**
 * Whether none of the words makes a known program write or run something: no forbidden option, its `check` holds, and
 * no pattern of file names unless the program takes these.
 */
const isAllowed = (
  { forbidden = [], forbiddenLetters = '', takesPatterns, check = always }: Program,
  given: readonly ShellWord[],
): boolean => {
  if (takesPatterns !== true && given.some(({ isPattern }) => isPattern)) return false
  const words = given.map(({ text }) => text)
  return check(words) && !words.some((word) => isForbidden(word, forbidden, forbiddenLetters))
}

/**
 * Whether a word is one of the forbidden options: a long one also abbreviated, as programs accept it, or with more
 * letters behind it; or a group of short ones with a forbidden letter. `--` alone is none.
 */
const isForbidden = (word: string, long: readonly string[], letters: string): boolean => {
  if (word === '--') return false
  if (word.startsWith('--')) {
    const [name = ''] = word.split('=')
    return long.some((option) => option.startsWith(name) || name.startsWith(option))
  }
  if (!/^-[A-Za-z0-9]/.test(word)) return false
  for (const letter of letters) if (word.includes(letter)) return true
  return false
}

/** The path that a word may be: itself, or what follows `=` in an option. */
const pathsIn = (word: string): readonly string[] => {
  if (!word.startsWith('-')) return word === '' ? [] : [word]
  const equals = word.indexOf('=')
  return equals < 0 || equals === word.length - 1 ? [] : [word.slice(equals + 1)]
}

const OUTSIDE_WORD =
  /(?:^|[\s"'=<>:(])((?:~|\$\{?(?:HOME|OLDPWD|TMPDIR|XDG_\w{1,30})\b|\/|\.\.\/|\.\.(?=$|[\s;|&"')]))[^\s;|&"'<>()`]*|[^\s;|&"'<>()`=:]*\/\.\.(?:\/[^\s;|&"'<>()`]*)?)/g

/**
 * Parts of any command that look like paths out of its folder, including through a variable that names one. They may
 * not exist, or not be paths at all.
 */
export const outsideWords = (line: string): readonly string[] => [
  ...new Set([...line.matchAll(OUTSIDE_WORD)].map(([, word = '']) => word).filter((word) => word !== '')),
]
