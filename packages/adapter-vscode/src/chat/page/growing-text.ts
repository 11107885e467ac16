/** A text that grows, as elements: what is drawn stays, so that a selection or a reader's place in it is not lost. */
import { markdownParts } from '../../webview/markdown/blocks.ts'
import { element } from '../../webview/page/dom.ts'
import { renderMarkdown, type TextActions } from '../../webview/page/render-markdown.ts'

/** The element of a Markdown text that grows. */
export interface GrowingText {
  readonly element: HTMLElement
  /** Draws the parts that are not as they were. */
  update(text: string): void
}

/**
 * Returns the element of a text that grows, empty at first. An update draws only the parts that changed, usually the
 * last one.
 */
export const createGrowingText = (actions: TextActions): GrowingText => {
  const whole = element('div', { class: 'markdown' })
  const drawn: { readonly source: string; readonly element: HTMLElement }[] = []
  return {
    element: whole,
    update: (text) => {
      const parts = markdownParts(text)
      for (const [index, source] of parts.entries()) {
        const before = drawn[index]
        if (before?.source === source) continue
        const made = element('div', {}, ...renderMarkdown(source, actions))
        if (before === undefined) whole.append(made)
        else before.element.replaceWith(made)
        drawn[index] = { source, element: made }
      }
      for (const gone of drawn.splice(parts.length)) gone.element.remove()
    },
  }
}
