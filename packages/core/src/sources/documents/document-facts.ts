/** What context documents are written from: what Cairn knows of a project. Texts are as they were recorded; the writer cleans them. */

/** Everything that `context documents` writes about a project, gathered before the documents are made. */
export interface DocumentFacts {
  /** The project's name. */
  readonly name: string
  /** Of its manifest. */
  readonly description?: string
  readonly readme?: ReadmeFacts
  /** All files of the project but the documents. */
  readonly paths: readonly string[]
  /** Commands that the manifest names. */
  readonly scripts: readonly { readonly name: string; readonly command: string }[]
  readonly focus?: string
  /** Without git, none. */
  readonly git?: {
    readonly branch: string
    /** Newest first, each with its id in front. */
    readonly commits: readonly string[]
    /** Not committed. */
    readonly changed: readonly string[]
  }
  /** Newest first. */
  readonly sessions: readonly {
    readonly title: string
    readonly agent: string
    readonly at: number | null
  }[]
  /** Files that sessions edited, the newest first. */
  readonly edited: readonly { readonly path: string; readonly edits: number; readonly at: number | null }[]
  readonly notes: readonly string[]
  /** Of the newest session that has any. */
  readonly todo: readonly { readonly text: string; readonly isDone: boolean }[]
  /** The surest first. */
  readonly memory: readonly { readonly kind: string; readonly text: string }[]
}

/** The headings (without `#`) and paragraphs (each joined into one line) of a README, in its order. */
export interface ReadmeFacts {
  readonly paragraphs: readonly string[]
  readonly headings: readonly string[]
}

const FENCE = /^(?:```|~~~)/
const HEADING = /^#{1,6}\s/
/** Lines that start a list, table, quote, HTML, picture or badge: nothing up to the next empty line is a paragraph. */
const NO_PARAGRAPH = /^(?:\s{4,}|\s*(?:[-*+]\s|\d+[.)]\s|[<>|!]|\[!|=+$|-+$))/
const MOST_LINES = 2_000

/**
 * Returns the headings and paragraphs of a README's Markdown, in their order. Code, tables, lists, pictures and HTML
 * are left out, and so is everything after line 2,000. Both lists are empty for an empty text.
 */
export const readmeFacts = (text: string): ReadmeFacts => {
  const paragraphs: string[] = []
  const headings: string[] = []
  let open: string[] = []
  let inside = 'text' as 'text' | 'code' | 'other'
  const close = (next: typeof inside): void => {
    if (open.length > 0) paragraphs.push(open.join(' '))
    open = []
    inside = next
  }
  for (const line of text.split(/\r?\n/).slice(0, MOST_LINES)) {
    if (FENCE.test(line.trim())) close(inside === 'code' ? 'text' : 'code')
    else if (inside === 'code') continue
    else if (HEADING.test(line)) {
      close('text')
      headings.push(line.replace(/^#+\s+|\s+#+$/g, ''))
    } else if (line.trim() === '') close('text')
    else if (NO_PARAGRAPH.test(line)) close('other')
    else if (inside === 'text') open.push(line.trim())
  }
  close('text')
  return { paragraphs, headings }
}

const LONGEST_SCRIPT = 200

/**
 * Returns the description and scripts of a `package.json`, in its order, each command cut to 200 characters. No
 * description and no scripts if the text is not a JSON object. Never throws.
 */
export const manifestFacts = (text: string): Pick<DocumentFacts, 'description' | 'scripts'> => {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    if (typeof value !== 'object' || value === null) return { scripts: [] }
    const description = 'description' in value && typeof value.description === 'string' ? value.description : ''
    const scripts = 'scripts' in value && typeof value.scripts === 'object' ? Object.entries(value.scripts ?? {}) : []
    return {
      ...(description === '' ? {} : { description }),
      scripts: scripts.flatMap(([name, command]: readonly [string, unknown]) =>
        typeof command === 'string' ? [{ name, command: command.slice(0, LONGEST_SCRIPT) }] : [],
      ),
    }
  } catch {
    return { scripts: [] }
  }
}
