/** Markdown as elements. */
import { neutralise } from '../../text/neutralise.ts'
import { parseMarkdown } from '../markdown/blocks.ts'
import { linkKind, type Block, type Inline, type ListItem } from '../markdown/syntax.ts'
import { button, element, type Child } from './dom.ts'

/** What links and buttons in a text do. */
export interface TextActions {
  readonly openLink: (address: string) => void
  readonly copy: (text: string) => void
}

/** Returns the elements of a part of a Markdown text; characters that hide or mislead are made visible. */
export const renderMarkdown = (text: string, actions: TextActions): readonly Node[] =>
  parseMarkdown(neutralise(text)).map((block) => renderBlock(block, actions))

/** Returns the element of a block. Texts are never markup. */
const renderBlock = (block: Block, actions: TextActions): Node => {
  const inline = (children: readonly Inline[]): readonly Child[] => renderInline(children, actions)
  const blocks = (children: readonly Block[]): readonly Node[] => children.map((child) => renderBlock(child, actions))
  switch (block.type) {
    case 'paragraph':
      return element('p', { dir: 'auto' }, ...inline(block.children))
    case 'heading':
      // The page's own headings are the first two levels.
      return element(
        'div',
        { class: `heading-${block.level}`, role: 'heading', 'aria-level': String(Math.min(6, block.level + 2)) },
        ...inline(block.children),
      )
    case 'code':
      return codeBlock(block.text, block.language, actions)
    case 'quote':
      return element('blockquote', {}, ...blocks(block.children))
    case 'list':
      return block.first === undefined
        ? element('ul', {}, ...block.items.map((item) => renderItem(item, blocks)))
        : element('ol', { start: String(block.first) }, ...block.items.map((item) => renderItem(item, blocks)))
    case 'table': {
      const head = block.head.map((cell) => element('th', { scope: 'col' }, ...inline(cell)))
      const rows = block.rows.map((row) => element('tr', {}, ...row.map((cell) => element('td', {}, ...inline(cell)))))
      const table = element(
        'table',
        {},
        element('thead', {}, element('tr', {}, ...head)),
        element('tbody', {}, ...rows),
      )
      return element('div', { class: 'scrolls', tabindex: '0', role: 'region', 'aria-label': 'Table' }, table)
    }
    case 'rule':
      return element('hr')
  }
}

/** Returns the element of a list's item. A task has ☑ or ☐ before it. */
const renderItem = (
  { children, isDone }: ListItem,
  blocks: (children: readonly Block[]) => readonly Node[],
): HTMLLIElement => {
  const mark =
    isDone === undefined
      ? []
      : [element('span', { role: 'img', 'aria-label': isDone ? 'done' : 'open' }, isDone ? '☑ ' : '☐ ')]
  const [first, ...rest] = children
  // A short item stands on its own line, without the space of a paragraph.
  if (first?.type === 'paragraph') {
    const [own, ...others] = blocks([first, ...rest])
    const line = element('span', { dir: 'auto' }, ...Array.from(own?.childNodes ?? []))
    return element('li', {}, ...mark, line, ...others)
  }
  return element('li', {}, ...mark, ...blocks(children))
}

/** Returns the elements of inline nodes. */
const renderInline = (nodes: readonly Inline[], actions: TextActions): readonly Child[] =>
  nodes.map((node): Child => {
    switch (node.type) {
      case 'text':
        return node.text
      case 'code':
        return element('code', {}, node.text)
      case 'strong':
        return element('strong', {}, ...renderInline(node.children, actions))
      case 'emphasis':
        return element('em', {}, ...renderInline(node.children, actions))
      case 'deleted':
        return element('del', {}, ...renderInline(node.children, actions))
      case 'break':
        return element('br')
      case 'link':
        return renderLink(node.address, renderInline(node.children, actions), actions)
    }
  })

/**
 * Returns a button that asks the extension to open the address, and the extension asks the user; text for an address
 * that is not allowed.
 */
const renderLink = (address: string, children: readonly Child[], { openLink }: TextActions): Node => {
  if (linkKind(address) === undefined) return element('span', {}, ...children, ` (${address})`)
  const link = button('', () => openLink(address), { class: 'link', role: 'link', title: address })
  link.append(...children)
  return link
}

/** Returns the element of code, with a button that copies it. */
export const codeBlock = (text: string, language: string, { copy }: TextActions): HTMLElement => {
  const name = language === '' ? 'code' : language
  const head = element(
    'div',
    { class: 'code-head' },
    element('span', {}, language),
    button('Copy', () => copy(text), { class: 'quiet', 'aria-label': `Copy the ${name}` }),
  )
  const body = element(
    'pre',
    { tabindex: '0', role: 'region', 'aria-label': name },
    element('code', { dir: 'ltr' }, text),
  )
  return element('div', { class: 'code' }, head, body)
}
