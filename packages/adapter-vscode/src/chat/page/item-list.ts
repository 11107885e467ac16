/** The list of items: draws what is new or changed, and stays at the end while the user is there. */
import type { ChatItem } from '../conversation/chat-state.ts'
import { drawItem, type DrawnItem, type ItemActions } from './render-item.ts'

/** From the end, in pixels, that counts as being there. */
const NEAR_END = 40

/** The conversation's items in the page. */
export interface ItemList {
  update(items: readonly ChatItem[]): void
}

/**
 * Returns the list of the conversation's items in an element. It scrolls along as items are added while its end is
 * visible; items that did not change are not drawn again.
 */
export const createItemList = (list: HTMLElement, actions: ItemActions): ItemList => {
  const drawn = new Map<number, { item: ChatItem; readonly drawn: DrawnItem }>()
  const draw = (item: ChatItem, before: ChildNode | null): void => {
    const made = drawItem(item, actions)
    list.insertBefore(made.element, before)
    drawn.set(item.id, { item, drawn: made })
  }
  return {
    update: (items) => {
      const wasAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END
      const ids = new Set(items.map(({ id }) => id))
      for (const [id, { drawn: gone }] of drawn) {
        if (ids.has(id)) continue
        gone.element.remove()
        drawn.delete(id)
      }
      for (const item of items) {
        const known = drawn.get(item.id)
        if (known === undefined) draw(item, null)
        else if (known.item !== item) {
          if (known.drawn.update(item)) known.item = item
          else {
            const next = known.drawn.element.nextSibling
            known.drawn.element.remove()
            draw(item, next)
          }
        }
      }
      if (wasAtEnd) list.scrollTop = list.scrollHeight
    },
  }
}
