/** Adds Cairn's entries to a settings file: missing ones are inserted, those of an older installation are updated. */
import { objectOf, stringOf } from '../../json.ts'
import type { JsonObject, JsonValue } from '../../json.ts'
import { applyEdit, spliceOf } from '../edit.ts'
import type { Edit, Splice } from '../edit.ts'
import { refused } from '../outcome.ts'
import type { Kept, Outcome, Refusal } from '../outcome.ts'
import { isOwnHook, isOwnStatusLine, ownServerScript } from '../program.ts'
import { SERVER_NAME } from '../target.ts'
import type { HookEntry, JsonEntry, JsonTarget, ServerEntry, StatusLineEntry } from '../target.ts'
import { isRefusal, readDocument } from './document.ts'
import { isRestSame } from './foreign.ts'
import { COMMAND_KEYS, commandOf, findOwn, serverWords } from './own.ts'
import { appendItem, fillEmpty, insertMember, replaceNode } from './splice.ts'
import type { SpliceInput } from './splice.ts'
import { memberOf, nodeAt, textAt } from './tree.ts'
import type { ArrayNode, JsonNode, ObjectNode } from './tree.ts'

export interface EnsureOptions {
  /** The agent's name, for sentences. */
  readonly name: string
  /** Replaces another program's status line; `--remove` restores it. */
  readonly replaceStatusLine: boolean
}

/** What one entry needs: an edit, nothing, or nothing because another program's entry is there. */
type Step = { readonly kind: 'edit'; readonly edit: Edit } | { readonly kind: 'present' } | { readonly kind: 'kept' }

const PRESENT: Step = { kind: 'present' }
const KEPT: Step = { kind: 'kept' }

/**
 * The text of a JSON settings file with all entries of a target, or why the file must be left alone; an empty text
 * means a missing file. Writes nothing. Another program's server or status line stays, and is listed in `kept`, as is
 * an entry of Cairn's for another data folder; correct entries produce no splice.
 */
export const ensureJson = (text: string, target: JsonTarget, options: EnsureOptions): Outcome | Refusal => {
  const before = readDocument(text, target, options.name)
  if (isRefusal(before)) return before
  let document = before
  const splices: Splice[] = []
  const kept: Kept[] = []
  for (const entry of target.entries) {
    const step = stepFor(document, entry, options)
    if (isRefusal(step)) return step
    if (step.kind === 'kept' && entry.kind !== 'hook') kept.push(entry.kind)
    if (step.kind !== 'kept' && entry.kind === 'server' && isForOtherFolder(document, entry)) kept.push('data-folder')
    if (step.kind !== 'edit') continue
    splices.push(spliceOf(document.text, step.edit))
    const next = readDocument(applyEdit(document.text, step.edit), target, options.name)
    if (isRefusal(next)) return CHANGES_THE_REST
    document = next
  }
  if (splices.length > 0 && !isRestSame(before.root, document.root, target.entries, options.replaceStatusLine))
    return CHANGES_THE_REST
  return { kind: 'done', text: document.text, splices, kept }
}

const CHANGES_THE_REST = refused('its entries could not be put in without a change to the rest')

/** What one entry needs. Or why it can't be met. */
const stepFor = (document: SpliceInput, entry: JsonEntry, options: EnsureOptions): Step | Refusal => {
  if (entry.kind === 'server') return ensureServer(document, entry, options)
  if (entry.kind === 'status-line') return ensureStatusLine(document, entry, options)
  return ensureHook(document, entry, options)
}

/**
 * The server's entry: inserted, updated, or kept if it belongs to another program. One that starts `cairn` by its name
 * alone stays as it is.
 */
const ensureServer = (document: SpliceInput, entry: ServerEntry, options: EnsureOptions): Step | Refusal => {
  const node = nodeAt(document.root, [...entry.at, SERVER_NAME])
  if (node === undefined) return insertAt(document, [...entry.at, SERVER_NAME], entry.value, options)
  const words = serverWords(node)
  const script = ownServerScript(words)
  if (script === undefined) return KEPT
  // Somebody who starts it by its name has installed it, and wants just that.
  if (script === 0) return PRESENT
  return renewed(document, node, entry.value, (old, wanted) => withOwnArguments(old, wanted))
}

/** Where agents store a server's environment variables. */
const VARIABLE_KEYS = ['env', 'environment'] as const

/** Whether an existing entry names a different data folder than a new one would, or none if a new one would. */
const isForOtherFolder = ({ root }: SpliceInput, { at, value }: ServerEntry): boolean => {
  const node = nodeAt(root, [...at, SERVER_NAME])
  if (node === undefined) return false
  const named = (find: (key: string) => string | undefined): string | undefined =>
    VARIABLE_KEYS.map(find).find((folder) => folder !== undefined)
  const written = named((key) => textAt(nodeAt(node, [key, 'CAIRN_HOME'])))
  const wanted = named((key) => stringOf(objectOf(value[key])['CAIRN_HOME']))
  return written !== wanted
}

/**
 * The wanted words of the command with those that someone added after the script in `old`. `wanted` where one of both
 * is no list of texts, or does not start the server.
 */
const withOwnArguments = (old: JsonValue, wanted: JsonValue): JsonValue => {
  const [former, fresh] = [listOfTexts(old), listOfTexts(wanted)]
  if (former === undefined || fresh === undefined) return wanted
  const at = ownServerScript(former)
  const script = fresh.findIndex((word) => ownServerScript([word, 'mcp']) !== undefined)
  if (at === undefined || script === -1) return wanted
  // What starts the script is renewed, too, where the list begins with it. Only a batch file was started by `cmd /c`.
  const own = former[0] === '/c' ? [] : former.slice(0, at)
  const start = script === 0 ? own : fresh.slice(0, script)
  return [...start, ...fresh.slice(script, script + 1), ...former.slice(at + 1)]
}

const listOfTexts = (value: JsonValue): readonly string[] | undefined =>
  Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : undefined

/**
 * The status line: inserted, updated, or another program's kept or replaced. Another's is replaced only with
 * `replaceStatusLine`.
 */
const ensureStatusLine = (document: SpliceInput, entry: StatusLineEntry, options: EnsureOptions): Step | Refusal => {
  const node = nodeAt(document.root, entry.at)
  if (node === undefined) return insertAt(document, entry.at, entry.value, options)
  if (isOwnStatusLine(textAt(memberOf(node, 'command')?.value) ?? ''))
    return renewed(document, node, entry.value, withRestOfLine)
  return options.replaceStatusLine ? { kind: 'edit', edit: replaceNode(document, node, entry.value) } : KEPT
}

/** The hook of one event: appended to its list; or the first of Cairn's in it updated in place, the others stay. */
const ensureHook = (document: SpliceInput, entry: HookEntry, options: EnsureOptions): Step | Refusal => {
  const path = ['hooks', entry.event]
  const list = nodeAt(document.root, path)
  const element = entry.form === 'grouped' ? { hooks: [entry.value] } : entry.value
  if (list === undefined) return insertAt(document, path, [element], options)
  if (list.kind !== 'array') return refused(`"hooks.${entry.event}" is not a list, as ${options.name} expects it`)
  const own = ownHandlersOf(document, list, entry)
  const [first] = own
  if (first === undefined) return { kind: 'edit', edit: appendItem(document, list, element) }
  return renewed(document, first, entry.value, withRestOfLine)
}

/** Cairn's handlers in the list of one event. */
const ownHandlersOf = (document: SpliceInput, list: ArrayNode, entry: HookEntry): readonly JsonNode[] =>
  findOwn(document.root, [entry])
    .filter(({ trail }) => trail.some(({ container }) => container === list))
    .map(({ node }) => node)
    .filter((node) => isOwnHook(commandOf(node) ?? ''))

/** Keeps what someone added before or after a command (such as `2>/dev/null`) if the command itself is right. */
const withRestOfLine = (old: JsonValue, wanted: JsonValue): JsonValue =>
  typeof old === 'string' && typeof wanted === 'string' && old.includes(wanted) ? old : wanted

/**
 * Updates the command in one of Cairn's entries, keeping what someone changed beside it. Nothing to do if it is as
 * wanted; keys that it does not have are not added. Changes of several values are one edit.
 */
const renewed = (
  document: SpliceInput,
  node: JsonNode,
  value: JsonObject,
  merge: (old: JsonValue, wanted: JsonValue) => JsonValue,
): Step => {
  const { text } = document
  let written = text.slice(node.start, node.end)
  // From the last one on, so that the offsets of those before stay right.
  const parts = [...COMMAND_KEYS, 'args']
    .map((key) => ({ member: memberOf(node, key), wanted: value[key] }))
    .filter(({ member }) => member !== undefined)
    .sort((left, right) => (right.member?.start ?? 0) - (left.member?.start ?? 0))
  for (const { member, wanted } of parts) {
    if (member === undefined || wanted === undefined) continue
    const old = simpleValue(member.value)
    const fresh = old === undefined ? wanted : merge(old, wanted)
    if (JSON.stringify(old) === JSON.stringify(fresh)) continue
    const edit = replaceNode(document, member.value, fresh)
    written = applyEdit(written, { ...edit, start: edit.start - node.start, end: edit.end - node.start })
  }
  if (written === text.slice(node.start, node.end)) return PRESENT
  return { kind: 'edit', edit: { start: node.start, end: node.end, text: written } }
}

/** The value of a scalar or of a list of scalars; undefined for any other. */
const simpleValue = (node: JsonNode): JsonValue | undefined => {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'object') return undefined
  const parts = node.items.map(({ value }) => (value.kind === 'scalar' ? value.value : undefined))
  return parts.every((part) => part !== undefined) ? parts : undefined
}

/**
 * Inserts a value at a path, creating missing objects; refused where something on the path is no object. Nothing is
 * done if the path is there, whatever it holds.
 */
const insertAt = (
  document: SpliceInput,
  path: readonly string[],
  value: JsonValue,
  { name }: EnsureOptions,
): Step | Refusal => {
  const { root } = document
  if (root === undefined) return { kind: 'edit', edit: fillEmpty(document, nested(path, value)) }
  let object: JsonNode = root
  for (const [depth, key] of path.entries()) {
    if (object.kind !== 'object')
      return refused(`"${path.slice(0, depth).join('.')}" is not an object, as ${name} expects it`)
    const next: JsonNode | undefined = memberOf(object, key)?.value
    if (next === undefined) return { kind: 'edit', edit: insertInto(document, object, path.slice(depth), value) }
    object = next
  }
  return PRESENT
}

/** Inserts a value into an object under the first key of a path. */
const insertInto = (document: SpliceInput, object: ObjectNode, path: readonly string[], value: JsonValue): Edit => {
  const [key = '', ...rest] = path
  return insertMember(document, object, key, nested(rest, value))
}

/** Wraps a value in one object per key. */
const nested = (path: readonly string[], value: JsonValue): JsonValue =>
  path.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value)
