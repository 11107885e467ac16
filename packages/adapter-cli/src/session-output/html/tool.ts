/** A tool call, folded to a line: its arguments, edits as the lines that changed, and its result. */
import { isJsonObject, textOfBlock } from '@cairn/core'
import type { JsonObject, JsonValue, ToolCallBlock, ToolResultBlock } from '@cairn/core'
import { counted } from '../../terminal/format.ts'
import { lineDiff } from '../line-diff.ts'
import { ansiHtml, withoutAnsi } from './ansi.ts'
import { escapeText } from './escape.ts'
import { imageHtml } from './image.ts'
import { patchLines } from './markdown.ts'

/** Arguments that tell what a call is about; the first one present is shown. */
const SUBJECTS = [
  'file_path',
  'path',
  'filePath',
  'notebook_path',
  'target_file',
  'command',
  'cmd',
  'pattern',
  'regex',
  'query',
  'url',
  'description',
  'prompt',
  'question',
] as const
const LONGEST_SUBJECT = 160
/** The first file of a patch. */
const PATCHED = /^\*\*\* (?:Update|Add|Delete) File: (.{1,300})$/m

/** A part of a call as HTML, with facts for the folded line. */
interface ToolPiece {
  readonly html: string
  /** What the folded line says about it. */
  readonly facts: readonly string[]
}

/**
 * Returns a call with its result as folded HTML; it says so if there is no result. `resultId` is the anchor of the
 * result's message.
 */
export const toolHtml = (
  { name, input }: ToolCallBlock,
  result: ToolResultBlock | undefined,
  resultId: string | undefined,
  { redactText, workspace }: { readonly redactText: (text: string) => string; readonly workspace: string | null },
): string => {
  const given = argumentsOf(input)
  const asked = inputPiece(input, given)
  const brought = result === undefined ? undefined : resultPiece(result, redactText)
  const isError = result?.isError === true
  const facts = [...asked.facts, ...(brought?.facts ?? ['no result'])]
  return `<details class="tool${isError ? ' failed' : ''}"><summary><span class="name">${escapeText(name)}</span> <span class="subject">${escapeText(withinProject(subjectOf(input, given), workspace))}</span> <span class="size">${facts.join(' · ')}</span></summary>
${asked.html}${brought === undefined ? '' : `<div class="result"${resultId === undefined ? '' : ` id="${resultId}"`}>${brought.html}</div>\n`}</details>\n`
}

/**
 * Returns a result that is not shown with its call as folded HTML. `tool` is the call's name, undefined if it is not
 * known.
 */
export const resultHtml = (
  result: ToolResultBlock,
  tool: string | undefined,
  redactText: (text: string) => string,
): string => {
  const { html, facts } = resultPiece(result, redactText)
  const name = tool === undefined ? 'result' : `result of ${escapeText(tool)}`
  return `<details class="tool${result.isError === true ? ' failed' : ''}"><summary><span class="name">${name}</span> <span class="size">${facts.join(' · ')}</span></summary>\n<div class="result">${html}</div></details>\n`
}

/** Returns a call's arguments, which some providers give as JSON text; empty if they are no object or damaged. */
const argumentsOf = (input: JsonValue): JsonObject => {
  if (isJsonObject(input)) return input
  if (typeof input !== 'string' || !/^\s*\{/.test(input)) return {}
  try {
    const value: unknown = JSON.parse(input)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

/**
 * Returns what a call is about, in one short line: the patched file, else its most telling argument; empty if there is
 * none.
 */
const subjectOf = (input: JsonValue, given: JsonObject): string => {
  const found = SUBJECTS.map((key) => given[key]).find(
    (value) => (typeof value === 'string' && value.trim() !== '') || Array.isArray(value),
  )
  const patched = PATCHED.exec(textIn(given, 'patch', 'input') ?? (typeof input === 'string' ? input : ''))?.[1]
  if (patched !== undefined) return patched.trim()
  const text =
    typeof found === 'string'
      ? found
      : found === undefined
        ? typeof input === 'string' && Object.keys(given).length === 0
          ? input
          : ''
        : JSON.stringify(found)
  const line =
    text
      .trim()
      .split('\n', 1)[0]
      ?.slice(0, LONGEST_SUBJECT * 2) ?? ''
  return line.length > LONGEST_SUBJECT || line.length < text.trim().length ? `${line.slice(0, LONGEST_SUBJECT)}…` : line
}

/** A path without the project's folder, if it is below that. */
const withinProject = (subject: string, workspace: string | null): string =>
  workspace !== null && workspace !== '' && subject.startsWith(`${workspace}/`)
    ? subject.slice(workspace.length + 1)
    : subject

/** Returns the first of these arguments that is a text; undefined if none is. */
const textIn = (given: JsonObject, ...keys: readonly string[]): string | undefined => {
  for (const key of keys) {
    const value = given[key]
    if (typeof value === 'string') return value
  }
  return undefined
}

/** The texts of an edit. */
interface Replacement {
  readonly before: string
  readonly after: string
}

/** The replaced and the new text of an edit; undefined for other calls. */
const replacementOf = (given: JsonObject): Replacement | undefined => {
  const before = textIn(given, 'old_string', 'old_str', 'oldText', 'oldString', 'search')
  const after = textIn(given, 'new_string', 'new_str', 'newText', 'newString', 'replace')
  return before === undefined || after === undefined ? undefined : { before, after }
}

/**
 * Returns a call's arguments: an edit, a patch, a command or a file's content in its own form, others by name. The
 * first form that fits.
 */
const inputPiece = (input: JsonValue, given: JsonObject): ToolPiece => {
  const edits = [given, ...(Array.isArray(given['edits']) ? given['edits'].filter(isJsonObject) : [])].flatMap(
    (part) => replacementOf(part) ?? [],
  )
  if (edits.length > 0) return diffPiece(edits)
  const patch = textIn(given, 'diff', 'patch', 'input') ?? (typeof input === 'string' ? input : undefined)
  if (patch !== undefined && /^\*\*\* (?:Begin|Update|Add|Delete)|^@@ |^[-+]{3} /m.test(patch))
    return { html: `<pre class="diff">${patchLines(patch)}</pre>\n`, facts: [] }
  const command = textIn(given, 'command', 'cmd')
  if (command !== undefined) return { html: `<pre class="command">${escapeText(command)}</pre>\n`, facts: [] }
  const content = textIn(given, 'content', 'file_text', 'contents')
  if (content !== undefined)
    return { html: `<pre>${escapeText(content)}</pre>\n`, facts: [counted(content.split('\n').length, 'line')] }
  return argumentsPiece(input, given)
}

/**
 * Returns arguments as a list of names and values; a text that gives no names as it is, any other value under `input`;
 * nothing for a blank text or an empty object.
 */
const argumentsPiece = (input: JsonValue, given: JsonObject): ToolPiece => {
  const isEmpty = Object.keys(given).length === 0
  if (typeof input === 'string' && isEmpty)
    return input.trim() === '' ? NOTHING : { html: `<pre>${escapeText(input)}</pre>\n`, facts: [] }
  if (isJsonObject(input) && isEmpty) return NOTHING
  const rows = Object.entries(isEmpty ? { input } : given).map(
    ([key, value]) => `<dt>${escapeText(key)}</dt><dd>${valueHtml(value)}</dd>`,
  )
  return { html: `<dl class="input">${rows.join('')}</dl>\n`, facts: [] }
}

const NOTHING: ToolPiece = { html: '', facts: [] }

/** The value of an argument. */
const valueHtml = (value: JsonValue | undefined): string =>
  escapeText(typeof value === 'string' ? value : JSON.stringify(value ?? null, undefined, 2))

const MARKS = { same: ' ', added: '+', removed: '−', gap: '⋯' } as const
const CLASSES = { same: undefined, added: 'da', removed: 'dd', gap: 'dh' } as const

/** Returns edits as the lines that changed, a block each; the fact is how many lines all of them add and remove. */
const diffPiece = (edits: readonly Replacement[]): ToolPiece => {
  const diffs = edits.map(({ before, after }) => lineDiff(before, after))
  const lines = diffs.flat()
  const count = (kind: string): number => lines.filter((line) => line.kind === kind).length
  const html = diffs
    .map((diff) => {
      const content = diff.map(({ kind, text }) =>
        CLASSES[kind] === undefined
          ? `${MARKS[kind]} ${escapeText(text)}`
          : `<span class="${CLASSES[kind]}">${MARKS[kind]} ${escapeText(text)}</span>`,
      )
      return `<pre class="diff">${content.join('\n')}</pre>\n`
    })
    .join('')
  return {
    html,
    facts: [`<span class="plus">+${count('added')}</span> <span class="minus">−${count('removed')}</span>`],
  }
}

/**
 * Returns the texts and images of a result, and as facts that it failed, if so, and its number of lines; an empty
 * result says so.
 */
const resultPiece = (result: ToolResultBlock, redactText: (text: string) => string): ToolPiece => {
  let lines = 0
  const html = result.content
    .map((block) => {
      if (block.type === 'image') return imageHtml(block)
      const text = textOfBlock(block)
      if (text.trim() === '') return ''
      lines += text.replace(/\n$/, '').split('\n').length
      return `<pre>${outputHtml(text, redactText)}</pre>\n`
    })
    .join('')
  const facts = [
    ...(result.isError === true ? ['<strong>failed</strong>'] : []),
    html === '' ? 'empty' : counted(lines, 'line'),
  ]
  return { html: html === '' ? '<p class="what">nothing</p>\n' : html, facts }
}

/**
 * Returns a tool's output as HTML. Colour codes could have split a secret, so secrets are looked for again without
 * them; if one is found, colours are lost.
 */
export const outputHtml = (text: string, redactText: (text: string) => string): string => {
  const plain = withoutAnsi(text)
  if (plain === text) return escapeText(text)
  const redacted = redactText(plain)
  return redacted === plain ? ansiHtml(text) : escapeText(redacted)
}
