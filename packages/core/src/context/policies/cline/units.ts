/** What leaves together: a message, or a reply with the results of its calls. */
import { unitsOf } from '../../../summary/conversation-units.ts'
import type { ContextItem } from '../../item.ts'
import type { ContextView } from '../../view.ts'
import { visibleMessages } from '../../steps/visible-messages.ts'

export type Unit = readonly ContextItem[]

/** The visible units, oldest first. */
export const visibleUnits = (view: ContextView): readonly Unit[] => {
  const placed = visibleMessages(view)
  const itemsOf = new Map<unknown, Unit>(placed.map(({ message, items }) => [message, items]))
  return unitsOf(placed.map(({ message }) => message)).map(({ messages }) =>
    messages.flatMap((message) => itemsOf.get(message) ?? []),
  )
}
