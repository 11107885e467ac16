/**
 * The commands in a shell text that check a project: tests, linters, type checkers, builds. What they have in common is
 * that a session that begins is glad to know them; `ls`, `grep` and `git status` it knows anyway.
 */

/** `git commit -m "$(cat <<'EOF' …`: what stands in a here-document or between quotes is no command. */
const HERE_DOCUMENT = /<<-?\s*(['"]?)(\w+)\1[\s\S]*?(?:^\s*\2\s*$|$(?![\s\S]))/gm
const QUOTED = /"(?:[^"\\]|\\.)*"|'[^']*'/g
/** What separates commands; what comes after a single `|` only looks at the output of the one before. */
const SEPARATOR = /&&|\|\||;|\n|(?<!>)&(?!>)/
const ASSIGNMENT = /^[A-Za-z_]\w*=/
/** Programs that run what stands behind them, after their own options and the values of these. */
const WRAPPERS = new Set(['sudo', 'time', 'env', 'command', 'nice', 'nohup', 'exec'])
const RUNNERS = new Set(['npx', 'bunx', 'pnpx', 'uvx', 'pipx'])
/** `npm run lint`, `uv run pytest`: the word after `run` (or `exec`) is what is run. */
const SCRIPT_RUNNERS = new Set([
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'deno',
  'mise',
  'task',
  'just',
  'make',
  'uv',
  'poetry',
  'pdm',
  'hatch',
  'rye',
  'pipenv',
  'bundle',
  'composer',
  'turbo',
  'nx',
  'rake',
  'invoke',
])
/** Programs that do nothing but check. */
const CHECKERS = new Set([
  'pytest',
  'tox',
  'nox',
  'ruff',
  'mypy',
  'pyright',
  'flake8',
  'black',
  'isort',
  'pylint',
  'jest',
  'vitest',
  'mocha',
  'ava',
  'playwright',
  'cypress',
  'tsc',
  'vue-tsc',
  'eslint',
  'prettier',
  'biome',
  'oxlint',
  'knip',
  'golangci-lint',
  'gofmt',
  'gofumpt',
  'staticcheck',
  'gotestsum',
  'rspec',
  'rubocop',
  'phpunit',
  'phpstan',
  'ktlint',
  'shellcheck',
  'hadolint',
  'swiftlint',
  'ctest',
  'clippy-driver',
  'pre-commit',
])
/** Words that name a check: a subcommand, a script or a target (`test:unit`, `lint-fix`, `check_types`). */
const CHECK_WORD =
  /(?:^|[:_\-./])(?:tests?|testing|lint|checks?|typecheck|types|tsc|vet|clippy|fmt|format|build|compile|verify|ci|e2e|spec|coverage|bench|validate)(?:$|[:_\-./])/i
const MAX_TEXT = 20_000
const MAX_NAME = 80

/**
 * The checks that a shell text runs, each as program and subcommand (`go test`, `npm run lint`, `pytest`), once, in the
 * order of the text. Paths, options and arguments are left out: they change from run to run. Empty for a text without
 * any. Of a long text only the first `MAX_TEXT` characters are read.
 */
export const checkCommandsIn = (text: string): readonly string[] => {
  const plain = text.slice(0, MAX_TEXT).replace(HERE_DOCUMENT, ' ').replace(QUOTED, '""').replace(/\\\n/g, ' ')
  const found = new Set<string>()
  for (const part of plain.split(SEPARATOR)) {
    const name = checkNamed(wordsOf(part.split('|', 1)[0] ?? ''))
    if (name !== undefined && name.length <= MAX_NAME) found.add(name)
  }
  return [...found]
}

/**
 * The words of a command, without what stands before its program (variables, wrappers, time limits); none where there
 * is none.
 */
const wordsOf = (part: string): readonly string[] => {
  const words = part
    .replace(/^[\s({]+/, '')
    .split(/\s+/)
    .filter((word) => word !== '' && !/^\d*[<>]/.test(word))
  let first = 0
  for (;;) {
    const word = words[first]
    if (word === undefined) return []
    if (ASSIGNMENT.test(word) || WRAPPERS.has(word)) first += 1
    // `timeout 60 go test`, `timeout -k 5 60s go test`.
    else if (word === 'timeout') first = words.findIndex((each, index) => index > first && /^[a-z]/i.test(each))
    else return words.slice(first)
    if (first < 0) return []
  }
}

/** The name of the check that a command runs; undefined where it is none. A runner or script counts by what it runs. */
const checkNamed = (words: readonly string[]): string | undefined => {
  const [first = ''] = words
  const program = first.split('/').at(-1) ?? first
  // A wrapper that the project brings along (`./gradlew`) is called by its path.
  const shown = first.startsWith('./') ? first : program
  const rest = words.slice(1)
  if (/^python[\d.]*$/.test(program)) return pythonModule(program, rest)
  const named = rest.filter((word) => isName(word))
  if (RUNNERS.has(program)) {
    const [tool = '', subcommand] = named
    return CHECKERS.has(withoutVersion(tool)) ? `${program} ${nameOf(withoutVersion(tool), subcommand)}` : undefined
  }
  if (SCRIPT_RUNNERS.has(program)) return scriptNamed(program, named)
  if (CHECKERS.has(program)) return nameOf(program, named[0])
  const [subcommand] = named
  return subcommand !== undefined && rest[0] === subcommand && CHECK_WORD.test(subcommand) && isPlain(program)
    ? `${shown} ${subcommand}`
    : undefined
}

/** `python -m pytest`. */
const pythonModule = (program: string, [option, module]: readonly string[]): string | undefined =>
  option === '-m' && module !== undefined && (CHECKERS.has(module) || module === 'unittest')
    ? `${program} -m ${module}`
    : undefined

/**
 * The check that a command runs: `npm run lint`, `pnpm --filter web test`, `make check`, `uv run pytest`. Undefined if
 * it runs none by name.
 * @param named its words without options
 */
const scriptNamed = (program: string, named: readonly string[]): string | undefined => {
  // What these run is named by an option.
  if (named.includes('run-many') || named.includes('affected')) return undefined
  const run = named.findIndex((word) => word === 'run' || word === 'exec')
  if (run >= 0) {
    const script = named[run + 1]
    return script !== undefined && (CHECK_WORD.test(script) || CHECKERS.has(script))
      ? `${program} ${named[run] ?? ''} ${script}`
      : undefined
  }
  const script = named.find((word) => CHECK_WORD.test(word) || CHECKERS.has(word))
  return script === undefined ? undefined : `${program} ${script}`
}

/** A checker with its subcommand, where it has any that is a check itself (`ruff check`, `playwright test`). */
const nameOf = (checker: string, subcommand: string | undefined): string =>
  subcommand !== undefined && (CHECK_WORD.test(subcommand) || subcommand === 'run') && !/[./]/.test(subcommand)
    ? `${checker} ${subcommand}`
    : checker

/** A tool's name without `@version`. */
const withoutVersion = (tool: string): string => tool.replace(/(?<=.)@.*$/, '')
const isName = (word: string): boolean => /^[A-Za-z@][\w@:./-]*$/.test(word)
/** A program of the path, not a file of the project that happens to take "test" as its first word. */
const isPlain = (program: string): boolean => /^[a-z][\w-]*$/i.test(program) && !NOT_CHECKS.has(program)
/** `git check-ignore`, `docker build`, `cat tests/a.py`: the word stands for something else. */
const NOT_CHECKS = new Set(
  'git gh cat ls cd cp mv rm mkdir touch echo grep rg find sed awk head tail less wc tree which kill pkill docker podman kubectl ssh scp curl wget code vim nano test open file stat du diff chmod xargs source export printf sort'.split(
    ' ',
  ),
)
