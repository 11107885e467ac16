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
 * Returns the list of the conversation's items in an element, empty at first. `update` takes all items to show: new
 * ones come at the end, changed ones (other objects) are drawn again in their place, missing ones are removed. It
 * scrolls along if its end was visible.
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
