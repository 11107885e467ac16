/**
 * Text of a model, drawn as the Markdown that it is. HTML in it is shown as text, images are named and never loaded, and links
 * lead nowhere but to the web. Text that is too long or nested too deep for that is drawn as it stands.
 */
import { useContext, useMemo } from 'react'
import type { ReactNode } from 'react'
import Markdown from 'react-markdown'
import type { Components, Options } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { visibleText } from '../../components/store-text.tsx'
import { Marked, MarkedText, wordPattern } from './marked-words.tsx'

/** Longer texts are drawn as they stand, UTF-16 units: parsing them would hold up the page. */
const LONGEST_MARKDOWN = 20_000
/** Brackets and signs of emphasis of one text: the parser compares each with those before it. */
const MOST_MARKS = 1_500
const MARKS = /[[*_]/g
/** Marks of quotes and lists that one line may begin with; the parser calls itself for each. */
const DEEPEST = 60
const NESTED = new RegExp(`^(?:[ \\t]*(?:>|[-+*]|\\d{1,9}[.)])){${DEEPEST}}`, 'm')

/** A node of the parsed text, as far as it is changed here. */
interface TextTree {
  type: string
  value?: string
  tagName?: string
  properties?: Record<string, unknown>
  children?: TextTree[]
}

const textNode = (value: string): TextTree => ({ type: 'text', value })
/** A word in a `mark` element. */
const markNode = (word: string): TextTree => ({
  type: 'element',
  tagName: 'mark',
  properties: {},
  children: [textNode(word)],
})

/** A plugin that puts words into `mark` elements, wherever they stand in one piece; the pattern has to capture them. */
const markWords = (pattern: RegExp) => () => (root: TextTree) => {
  const open = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.children === undefined) continue
    node.children = node.children.flatMap((child) =>
      child.type !== 'text' || child.value === undefined
        ? [child]
        : // Every second part is a word.
          child.value.split(pattern).map((part, index) => (index % 2 === 0 ? textNode(part) : markNode(part))),
    )
    for (const child of node.children) if (child.tagName !== 'mark') open.push(child)
  }
}

const COMPONENTS: Components = {
  /** A link, which opens a tab of its own and tells the page nothing; without an address only its text. */
  a: ({ href, children }) =>
    href === undefined || href === '' ? (
      <>{children}</>
    ) : (
      <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ),
  /** The words of an image: none is ever loaded from elsewhere. */
  img: ({ alt, src }) => (
    <span className="text-muted">
      [image{alt === undefined || alt === '' ? '' : `: ${alt}`}
      {typeof src === 'string' && src !== '' ? ` at ${src}` : ''}]
    </span>
  ),
  mark: ({ children }) => <mark className="rounded-sm bg-(--mark) text-ink">{children}</mark>,
  pre: ({ children }) => (
    <pre tabIndex={0} role="region" aria-label="Code">
      {children}
    </pre>
  ),
  table: ({ children }) => (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }) => <span>{checked === true ? '☑' : '☐'}</span>,
}

/** Only the web and mail: a relative address would lead into the dashboard. */
const safeAddress = (address: string): string => (/^(?:https?:\/\/|mailto:)/i.test(address) ? address : '')

const remarkPlugins: Options['remarkPlugins'] = [[remarkGfm, { singleTilde: false }]]

/**
 * The text as elements; undefined where it is drawn as it stands, because it is too long or too nested for the parser.
 * Words are marked.
 */
const drawn = (text: string, words: readonly string[]): ReactNode | undefined => {
  if (text.length > LONGEST_MARKDOWN || NESTED.test(text)) return undefined
  if ((text.match(MARKS)?.length ?? 0) > MOST_MARKS) return undefined
  try {
    return Markdown({
      children: visibleText(text),
      components: COMPONENTS,
      remarkPlugins,
      rehypePlugins: words.length === 0 ? [] : [markWords(wordPattern(words))],
      urlTransform: safeAddress,
    })
  } catch {
    // Nested in a way that the parser can't follow.
    return undefined
  }
}

const NO_WORDS: readonly string[] = []

/**
 * A text of an entry as Markdown; in the entry that was found, with its words marked. One that can't be parsed stands
 * as it is.
 */
export const MarkdownText = ({ text, seq }: { readonly text: string; readonly seq: number }) => {
  const marked = useContext(Marked)
  const words = marked?.seq === seq ? marked.words : NO_WORDS
  const elements = useMemo(() => drawn(text, words), [text, words])
  if (elements !== undefined)
    return (
      <div className="markdown" dir="auto">
        {elements}
      </div>
    )
  return (
    <div className="whitespace-pre-wrap">
      <MarkedText text={text} seq={seq} />
    </div>
  )
}
