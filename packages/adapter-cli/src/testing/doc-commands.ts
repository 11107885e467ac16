/** For tests: the commands that a page of the documentation, or a command's help, prints, and the files that the page shows. */

export interface PrintedCommand {
  /** As it is typed, in one line where a backslash continued it. */
  readonly text: string
  /** 1-based line of the page. */
  readonly line: number
  /** The exit codes that are right: 0, or what its comment says. */
  readonly codes: readonly number[]
}

interface PrintedFile {
  readonly name: string
  readonly content: string
  readonly line: number
}

export type PrintedStep = ({ readonly kind: 'command' } & PrintedCommand) | ({ readonly kind: 'file' } & PrintedFile)

interface Fence {
  readonly language: string
  /** The last line of text before it. */
  readonly before: string
  readonly lines: readonly string[]
  /** 1-based, of its first line of content. */
  readonly line: number
}

const SHELLS = new Set(['sh', 'bash', 'console', 'shell'])
const FENCE = /^ {0,3}(```+|~~~+)\s*(\S*)/

/**
 * The commands and files that a page of Markdown prints, in its order. A code block right below a line that names one
 * file is that file's content.
 */
export const stepsOf = (page: string): readonly PrintedStep[] => fencesOf(page).flatMap(stepsOfFence)

/**
 * Returns the commands or the file of a code block; none where it is neither. A block of a shell's language has
 * commands.
 */
const stepsOfFence = (fence: Fence): readonly PrintedStep[] => {
  if (SHELLS.has(fence.language)) return commandsOf(fence).map((command) => ({ kind: 'command' as const, ...command }))
  const name = fileNamedIn(fence.before)
  if (name === undefined) return []
  return [{ kind: 'file', name, content: fence.lines.map((line) => `${line}\n`).join(''), line: fence.line }]
}

/** Returns the code blocks of a page, in order; their lines count from 1. @throws Error for one without an end */
const fencesOf = (page: string): readonly Fence[] => {
  const fences: Fence[] = []
  let before = ''
  let open:
    { readonly mark: string; readonly language: string; readonly from: number; readonly before: string } | undefined
  const lines = page.split('\n')
  for (const [index, line] of lines.entries()) {
    const [, mark = '', language = ''] = FENCE.exec(line) ?? []
    if (open === undefined) {
      if (mark !== '') open = { mark, language, from: index + 1, before }
      else if (line.trim() !== '') before = line
    } else if (mark.startsWith(open.mark) && language === '') {
      const { from } = open
      fences.push({ language: open.language, before: open.before, lines: lines.slice(from, index), line: from + 1 })
      open = undefined
    }
  }
  if (open !== undefined) throw new Error(`The code block that begins at line ${open.from} has no end.`)
  return fences
}

/**
 * The file that a line before a code block names: exactly one name in backticks, and a colon at the end. Undefined for
 * any other line.
 */
const fileNamedIn = (text: string): string | undefined => {
  if (!text.trimEnd().endsWith(':')) return undefined
  const names = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\.\w+)`/g)].map(([, name = '']) => name)
  return names.length === 1 ? names[0] : undefined
}

/** Returns the commands of a block. Of a console's text only what stands behind `$ `. */
const commandsOf = ({ language, lines, line: first }: Fence): readonly PrintedCommand[] => {
  const commands: PrintedCommand[] = []
  const prompt = language === 'console' ? '$ ' : ''
  for (let index = 0; index < lines.length; index++) {
    const line = first + index
    if (!(lines[index] ?? '').startsWith(prompt)) continue
    const { text, last } = commandAt(lines, index, prompt.length)
    index = last
    if (text !== '' && !text.startsWith('#')) commands.push({ text, line, codes: codesIn(commentOf(text)) })
  }
  return commands
}

/** The command that begins at a line, behind its prompt; lines that a backslash or a document on standard input continues are part of it. */
const commandAt = (
  lines: readonly string[],
  index: number,
  promptLength: number,
): { readonly text: string; readonly last: number } => {
  let last = index
  let text = (lines[index] ?? '').slice(promptLength)
  while (text.endsWith('\\') && last + 1 < lines.length) text = `${text.slice(0, -1)}${(lines[++last] ?? '').trim()}`
  const end = /<<-?\s*['"]?(\w+)['"]?/.exec(text)?.[1]
  if (end !== undefined)
    do text += `\n${lines[++last] ?? ''}`
    while (lines[last] !== end && last < lines.length)
  return { text: text.trim(), last }
}

/** Returns the comment of a command: what follows a `#` that begins a word outside of quotes; empty without one. */
const commentOf = (text: string): string => {
  let quote = ''
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '#' && /\s/.test(text[index - 1] ?? ' ')) return text.slice(index + 1)
  }
  return ''
}

/** The exit codes that a comment names: "exit code 3: …" means that one, "exit code 3 above $20" that one or 0. */
const codesIn = (comment: string): readonly number[] => {
  const [, code, condition] = /\bexit code (\d)( (?:above|if|when|where|unless)\b)?/.exec(comment) ?? []
  if (code === undefined) return [0]
  return condition === undefined ? [Number(code)] : [0, Number(code)]
}

/**
 * The examples of a help text, in order: what stands behind two spaces below "Examples:", without what explains it; a
 * line that ends with `\` goes on. Empty without any.
 */
export const examplesOf = (help: string): readonly string[] => {
  const [, examples = ''] = /^(?:Examples|Start here):\n((?:[ ].*\n?|\n)*)/m.exec(help) ?? []
  const found: string[] = []
  let isContinued = false
  for (const line of examples.split('\n')) {
    const isOne = /^ {2}\S/.test(line)
    if (!isOne && !isContinued) continue
    const text = line.trim().replace(/\s{2,}.*$/, '')
    if (isContinued) found.push(`${found.pop() ?? ''} ${text.replace(/\s*\\$/, '')}`)
    else found.push(text.replace(/\s*\\$/, ''))
    isContinued = text.endsWith('\\')
  }
  return found
}

/** Commands that are not run, and why. */
const LEFT_OUT: readonly (readonly [RegExp, string])[] = [
  [/^npm /, 'installs, builds or serves'],
  [/^npx nx /, 'builds'],
  [/^bash \.ci\/run\b/, 'runs all tests'],
  [/^(?:npx )?node tools\//, 'measures'],
  [/^claude mcp add /, 'changes the settings of another program'],
  [/^<clone>\/node_modules\/\.bin\/node /, 'a test of its own runs the example of the library'],
  [/^(?:echo "[^"]*" \| )?(?:npx )?cairn (?:context send|run|chat)(?: |$)/, 'asks a model, which needs a key'],
  [/^(?:OTEL_\w+=\S+ )*(?:npx )?cairn export otel\b(?!.* --dry-run)/, 'sends to a collector'],
  [/^(?!.*\bdashboard\b).*\bpostgresql:\/\/\S+\.example\.com\//, 'reaches a server that is not there'],
  [/^INPUT_\w+=.*node action\/report\.mjs$/, 'the action has end-to-end tests of its own'],
]

/** Why a command is not run here, by the first pattern that it fits; undefined where it is run. */
export const reasonToLeaveOut = (text: string): string | undefined =>
  LEFT_OUT.find(([pattern]) => pattern.test(text))?.[1]

/**
 * Whether a line runs `cairn` or `npx cairn`: at its beginning or behind `|`, `;` or `&`, also with variables set
 * before it. Quotes are not looked at.
 */
export const callsCairn = (text: string): boolean => CALL.test(text)
const CALL = /(?:^|[|;&]\s*)(?:[A-Z_]+=\S+\s+)*(?:npx (?:--no-install )?)?cairn(?:\s|$)/

/** Whether a line starts what would not end, a server or a watch; its options are in the help. */
export const startsServer = (text: string): boolean => /\bcairn\s+(?:mcp|dashboard|watch|gateway|otel)\b/.test(text)

/**
 * The arguments of the first call of `cairn` in a line, without quotes and redirections; undefined where it is not
 * called.
 */
export const cairnArguments = (text: string): readonly string[] | undefined => {
  const { index, 0: call = '' } = CALL.exec(text) ?? {}
  if (index === undefined) return undefined
  const words = text.slice(index + call.length).match(/"[^"]*"|'[^']*'|\S+/g) ?? []
  const end = words.findIndex((word) => /^(?:[|<>;]|&&|#)/.test(word))
  return (end === -1 ? words : words.slice(0, end)).map((word) => word.replace(/^(["'])([\s\S]*)\1$/, '$2'))
}
