/** The tree of a Markdown text: only what the chat shows. There is no node for HTML: it is text. */

/** A part of a line of text. */
export type Inline =
  | { readonly type: 'text' | 'code'; readonly text: string }
  | { readonly type: 'strong' | 'emphasis' | 'deleted'; readonly children: readonly Inline[] }
  /** `address` as it was written; see `linkKind` for what may be done with it. */
  | { readonly type: 'link'; readonly address: string; readonly children: readonly Inline[] }
  | { readonly type: 'break' }

/** A block of a text. */
export type Block =
  | { readonly type: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly type: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly type: 'code'; readonly language: string; readonly text: string }
  | { readonly type: 'quote'; readonly children: readonly Block[] }
  | { readonly type: 'list'; readonly first: number | undefined; readonly items: readonly ListItem[] }
  | { readonly type: 'table'; readonly head: readonly Cell[]; readonly rows: readonly (readonly Cell[])[] }
  | { readonly type: 'rule' }

/** A cell of a table. */
export type Cell = readonly Inline[]

/** An item of a list. */
export interface ListItem {
  readonly children: readonly Block[]
  /** Of a list of tasks, whether it is ticked. */
  readonly isDone?: boolean
}

/**
 * Returns what a link leads to: a web page, or a file, which any address without a scheme counts as, whether or not it
 * is there; undefined for everything else (`javascript:`, `data:`, …, `#part`, `//host`, ''), which is shown as text.
 */
export const linkKind = (address: string): 'web' | 'file' | undefined => {
  const trimmed = address.trim()
  if (/^https?:\/\/[^\s/]/i.test(trimmed)) return 'web'
  if (trimmed === '' || trimmed.startsWith('#') || /^[\\/]{2}/.test(trimmed)) return undefined
  // A letter and a colon is a drive; more letters are a scheme.
  return /^[a-z][a-z0-9+.-]+:(?!\d)/i.test(trimmed) ? undefined : 'file'
}
