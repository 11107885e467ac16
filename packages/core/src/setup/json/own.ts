/** Finds Cairn's entries in a settings file by the program they start, wherever they are. */
import { isOwnHook, isOwnStatusLine, ownServerScript } from '../program.ts'
import { SERVER_NAME } from '../target.ts'
import type { JsonEntry } from '../target.ts'
import { childrenOf, memberOf, nodeAt, textAt } from './tree.ts'
import type { JsonNode } from './tree.ts'

/** A child of a container that belongs to Cairn. */
export interface OwnNode {
  readonly node: JsonNode
  /** The containers around it from the outermost in, each with the child that leads on, finally to `node`. */
  readonly trail: readonly Step[]
}

interface Step {
  readonly container: JsonNode
  readonly index: number
  /** The path of keys and indices that leads to the container. */
  readonly path: readonly (string | number)[]
}

/** Where a handler may have its command. */
export const COMMAND_KEYS = ['command', 'bash', 'powershell'] as const

/**
 * All of Cairn's entries in a file: its server and status line where `entries` have them, and, if these have any hook,
 * its hooks of all events, also of those that setup no longer writes. Empty without a root.
 */
export const findOwn = (root: JsonNode | undefined, entries: readonly JsonEntry[]): readonly OwnNode[] => {
  const found: OwnNode[] = []
  for (const entry of entries) {
    if (entry.kind === 'hook') continue
    const path = entry.kind === 'server' ? [...entry.at, SERVER_NAME] : entry.at
    const node = nodeAt(root, path)
    const isOwn = entry.kind === 'server' ? isOwnServer(node) : isOwnStatus(node)
    if (root !== undefined && node !== undefined && isOwn) found.push({ node, trail: trailTo(root, path) })
  }
  const hooks = memberOf(root, 'hooks')?.value
  if (root !== undefined && hooks?.kind === 'object' && entries.some(({ kind }) => kind === 'hook'))
    found.push(...ownHandlers(root, hooks))
  return found
}

/** The steps from a root to a path, as far as the path goes. Empty if nothing of it is there. */
const trailTo = (root: JsonNode, path: readonly string[]): readonly Step[] => {
  const trail: Step[] = []
  let container = root
  for (const [depth, key] of path.entries()) {
    const member = memberOf(container, key)
    if (member === undefined) return trail
    trail.push({ container, index: childrenOf(container).indexOf(member), path: path.slice(0, depth) })
    container = member.value
  }
  return trail
}

/**
 * Cairn's handlers of all hooks, with the path to each. Both in groups and without; empty unless `hooks` is an object.
 */
const ownHandlers = (root: JsonNode, hooks: JsonNode): readonly OwnNode[] => {
  const found: OwnNode[] = []
  if (hooks.kind !== 'object') return found
  const toHooks = trailTo(root, ['hooks'])
  for (const [eventIndex, { key: event, value: list }] of hooks.members.entries()) {
    const toEvent = [...toHooks, { container: hooks, index: eventIndex, path: ['hooks'] }]
    for (const [index, { value: element }] of childrenOf(list).entries()) {
      const path = ['hooks', event]
      const toElement = [...toEvent, { container: list, index, path }]
      if (isOwnHandler(element)) found.push({ node: element, trail: toElement })
      const group = memberOf(element, 'hooks')
      if (group?.value.kind !== 'array') continue
      for (const [position, { value: handler }] of group.value.items.entries()) {
        if (!isOwnHandler(handler)) continue
        const trail = [
          ...toElement,
          { container: element, index: childrenOf(element).indexOf(group), path: [...path, index] },
          { container: group.value, index: position, path: [...path, index, 'hooks'] },
        ]
        found.push({ node: handler, trail })
      }
    }
  }
  return found
}

/**
 * The command line of a hook's handler: the first of `command`, `bash` and `powershell` that is a text; undefined if
 * none is.
 */
export const commandOf = (handler: JsonNode): string | undefined => {
  for (const key of COMMAND_KEYS) {
    const line = textAt(memberOf(handler, key)?.value)
    if (line !== undefined) return line
  }
  return undefined
}

const isOwnHandler = (node: JsonNode): boolean =>
  COMMAND_KEYS.some((key) => isOwnHook(textAt(memberOf(node, key)?.value) ?? ''))

const isOwnStatus = (node: JsonNode | undefined): boolean =>
  isOwnStatusLine(textAt(memberOf(node, 'command')?.value) ?? '')

const isOwnServer = (node: JsonNode | undefined): boolean => ownServerScript(serverWords(node)) !== undefined

/**
 * The words of the command line that starts a server: `command` and `args`, or `command` as a list; empty without one.
 * A word that is not a text counts as ''.
 */
export const serverWords = (node: JsonNode | undefined): readonly string[] =>
  [memberOf(node, 'command')?.value, memberOf(node, 'args')?.value].flatMap((part) =>
    part === undefined
      ? []
      : part.kind === 'array'
        ? part.items.map(({ value }) => textAt(value) ?? '')
        : [textAt(part) ?? ''],
  )
