/** What leaves together: a message, or a reply with the results of its calls. */
import { groupIntoUnits } from '../../../summary/conversation-units.ts'
import type { ViewBlock } from '../../view-block.ts'
import type { ContextView } from '../../view.ts'
import { visibleMessages } from '../../steps/visible-messages.ts'

export type Unit = readonly ViewBlock[]

/** The visible units as lists of their blocks, oldest first; empty for an empty view. */
export const visibleUnits = (view: ContextView): readonly Unit[] => {
  const visible = visibleMessages(view)
  const itemsOf = new Map<unknown, Unit>(visible.map(({ message, blocks }) => [message, blocks]))
  return groupIntoUnits(visible.map(({ message }) => message)).map(({ messages }) =>
    messages.flatMap((message) => itemsOf.get(message) ?? []),
  )
}
