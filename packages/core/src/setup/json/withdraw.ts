/** Removes only Cairn's entries from a settings file that others have changed since. */
import { applyEdit } from '../edit.ts'
import type { Edit } from '../edit.ts'
import { refused } from '../outcome.ts'
import type { Refusal } from '../outcome.ts'
import { isOwnStatusLine } from '../program.ts'
import type { JsonTarget } from '../target.ts'
import { isRefusal, readDocument } from './document.ts'
import { isRestSame } from './foreign.ts'
import { findOwn } from './own.ts'
import type { OwnNode } from './own.ts'
import { removeChild } from './splice.ts'
import type { SpliceInput } from './splice.ts'
import { childrenOf, memberOf, nodeAt, textAt } from './tree.ts'
import type { JsonNode } from './tree.ts'

/** A file has at most one of Cairn's entries per event, a few times over. */
const MOST_ENTRIES = 1_000

/**
 * The text without Cairn's entries, and without containers that become empty and that `earlier`, the file before setup,
 * did not have. A status line that setup replaced is restored from there. A refusal if the text can't be parsed, or if
 * the rest would change. A text without such entries is returned unchanged.
 */
export const withdrawJson = (
  text: string,
  target: JsonTarget,
  name: string,
  earlier: string | undefined,
): { readonly text: string } | Refusal => {
  const before = readDocument(text, target, name)
  if (isRefusal(before)) return before
  const former = earlier === undefined ? undefined : readDocument(earlier, target, name)
  const formerDocument = former === undefined || isRefusal(former) ? undefined : former
  let current: SpliceInput = before
  for (let left = MOST_ENTRIES; left > 0; left--) {
    const own = findOwn(current.root, target.entries).at(-1)
    if (own === undefined) break
    const next = readDocument(applyEdit(current.text, removal(current, own, formerDocument)), target, name)
    if (isRefusal(next)) return refused('its entries could not be taken out without a change to the rest')
    current = next
  }
  const bringsStatusLine = before !== current && hasForeignStatusLine(formerDocument, target)
  return isRestSame(before.root, current.root, target.entries, bringsStatusLine)
    ? { text: current.text }
    : refused('its entries could not be taken out without a change to the rest')
}

/**
 * The edit that takes one entry out: it puts back the status line that it replaced, or takes containers that only setup
 * made with it. Throws an Error for an entry that stands in no container.
 */
const removal = (document: SpliceInput, own: OwnNode, former: SpliceInput | undefined): Edit => {
  const old = replacedStatusLine(own, former)
  if (old !== undefined) return { start: own.node.start, end: own.node.end, text: old }
  let depth = own.trail.length - 1
  // A container with nothing else in it goes as a whole, unless it was there before.
  while (depth > 0) {
    const step = own.trail[depth]
    if (step === undefined || !isMadeBySetup(document, step.container, step.path, former)) break
    depth -= 1
  }
  const step = own.trail[depth]
  if (step === undefined) throw new Error('An entry stands in no container.')
  return removeChild(document, step.container, step.index)
}

/**
 * Whether a container goes together with Cairn's entry: there is no comment in it, and no other entry, and the file
 * before setup did not have it. In a list of hooks, a group goes whatever it says beside its handlers, also if it was
 * there before.
 */
const isMadeBySetup = (
  { comments }: SpliceInput,
  container: JsonNode,
  path: readonly (string | number)[],
  former: SpliceInput | undefined,
): boolean => {
  if (comments.some(({ start }) => start > container.start && start < container.end)) return false
  const isGroup = path.some((part) => typeof part === 'number')
  // A group without handlers is of no use, whatever else it says.
  if (isGroup) return container.kind === 'object' || childrenOf(container).length === 1
  if (childrenOf(container).length > 1) return false
  return former === undefined || nodeAt(former.root, path.map(String)) === undefined
}

/** Whether the file before setup had another program's status line. False without a file. */
const hasForeignStatusLine = (former: SpliceInput | undefined, { entries }: JsonTarget): boolean =>
  entries.some(
    (entry) =>
      entry.kind === 'status-line' &&
      nodeAt(former?.root, entry.at) !== undefined &&
      findOwn(former?.root, [entry]).length === 0,
  )

/**
 * The text of the status line that stood where Cairn's stands now; undefined if there was none, or it was Cairn's own.
 */
const replacedStatusLine = ({ trail }: OwnNode, former: SpliceInput | undefined): string | undefined => {
  const [step] = trail
  if (former === undefined || step === undefined || trail.length !== 1) return undefined
  const child = childrenOf(step.container)[step.index]
  if (child === undefined || !('key' in child) || typeof child.key !== 'string') return undefined
  const node = nodeAt(former.root, [child.key])
  const isOwn = isOwnStatusLine(textAt(memberOf(node, 'command')?.value) ?? '')
  return node === undefined || isOwn ? undefined : former.text.slice(node.start, node.end)
}
