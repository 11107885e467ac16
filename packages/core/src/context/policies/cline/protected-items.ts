/** What stays word for word, with what belongs to it. */
import { mayNotLeave } from '../../draft.ts'
import type { ContextItem } from '../../item.ts'
import type { ContextView } from '../../view.ts'

/** The blocks that may not leave and, so that no pair is parted, the calls and results of their pairs. */
export const protectedItems = (view: ContextView): ReadonlySet<ContextItem> => {
  const items = new Set<ContextItem>()
  for (const item of view.items()) {
    if (!mayNotLeave(item, view)) continue
    items.add(item)
    if (item.partner !== undefined) items.add(item.partner)
  }
  return items
}
