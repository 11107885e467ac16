/** One block of a message: text as it is, all else behind a line that says what it is and that a click opens. */
import type { TextPart } from '@cairn/core'
import type { BlockView, CutText, EditView, ImageView, TaggedText } from '@cairn/core/conversation'
import { counted } from '../../text/format.ts'
import { neutralise, neutraliseLine } from '../../text/neutralise.ts'
import { button, element, type Child } from '../../webview/page/dom.ts'
import { diffCounts } from '../../webview/unified-diff.ts'
import { renderDiff } from '../../webview/page/render-diff.ts'
import { codeBlock, renderMarkdown, type TextActions } from '../../webview/page/render-markdown.ts'
import { imageKey } from '../entry-names.ts'
import type { Folds } from './folds.ts'

/** What the user can do with a block. */
export interface BlockActions extends TextActions {
  readonly folds: Folds
  /** Asks for a text that was cut. */
  readonly wantText: (seq: number, block: number) => void
  /** Opens the file that the calls of a message edit, at what they wrote. */
  readonly openEdit: (seq: number) => void
  /** Asks for an image; {@link fillImage} puts it into its place. */
  readonly wantImage: (seq: number, position: ImageView['position']) => void
}

/** Where a block stands. */
export interface BlockPosition {
  readonly seq: number
  readonly block: number
  /** A person wrote it: it is shown as it is, not as Markdown. */
  readonly isPlain: boolean
}

/** Returns the key of a block's text in the page. */
export const textKey = ({ seq, block }: Pick<BlockPosition, 'seq' | 'block'>): string => `${seq}.${block}`

/** Returns a block's elements; empty for a result that is shown with its call. */
export const renderBlock = (block: BlockView, position: BlockPosition, actions: BlockActions): readonly Node[] => {
  switch (block.type) {
    case 'text':
      return [textElement(block, position, position.isPlain ? 'plain' : 'markdown', actions)]
    case 'thinking':
      return [folded('Reasoning', block, block, position, 'markdown', actions)]
    case 'call':
      return [callElement(block, position, actions)]
    case 'answered':
      return []
    case 'result':
      return [resultElement(block, position, actions)]
    case 'file':
      return [folded('File', { text: block.path, length: block.length }, block, position, 'code', actions)]
    case 'other':
      return [folded('Other', block, block, position, 'code', actions)]
    case 'image':
      return [imageElement(block.image, position.seq, actions)]
  }
}

/** How a text is drawn. */
type TextKind = 'plain' | 'markdown' | 'code'

/**
 * Returns the element of a text that may have been cut, with a button that requests the rest; {@link fillText} inserts
 * it.
 */
const textElement = (
  text: CutText & Partial<TaggedText>,
  position: BlockPosition,
  kind: TextKind,
  actions: BlockActions,
): HTMLElement => {
  const made = element('div', { class: 'text' })
  made.dataset['text'] = textKey(position)
  made.dataset['kind'] = kind
  fillText(made, text, position, actions)
  return made
}

/** Whether a value is one of {@link TextKind}. */
const isTextKind = (value: string | undefined): value is TextKind =>
  value === 'plain' || value === 'markdown' || value === 'code'

/**
 * Replaces the content of an element that {@link renderBlock} made for a text. If it was cut, a button behind it asks
 * for the rest.
 */
export const fillText = (
  holder: HTMLElement,
  text: CutText & Partial<TaggedText>,
  position: Pick<BlockPosition, 'seq' | 'block'>,
  actions: BlockActions,
): void => {
  const kind = isTextKind(holder.dataset['kind']) ? holder.dataset['kind'] : 'plain'
  const parts: readonly TextPart[] =
    text.parts === undefined || text.parts.length === 0 ? [{ text: text.text }] : text.parts
  holder.replaceChildren(
    ...parts.map((part, index) =>
      part.label !== undefined
        ? taggedPart(part.label, part.text, `${textKey(position)}.${index}`, actions)
        : plainText(part.text, kind, actions),
    ),
  )
  const left = text.length - text.text.length
  if (left > 0)
    holder.append(
      button(`Show all (${counted(left, 'more character')})`, () => actions.wantText(position.seq, position.block), {
        class: 'quiet more',
      }),
    )
}

/** Returns the element of a text, drawn as its kind. */
const plainText = (text: string, kind: TextKind, actions: TextActions): HTMLElement => {
  if (kind === 'markdown') return element('div', { class: 'markdown' }, ...renderMarkdown(text, actions))
  if (kind === 'code') return codeBlock(neutralise(text), '', actions)
  return element('div', { class: 'plain', dir: 'auto' }, neutralise(text))
}

/** Longer ones are out of the way until they are opened. */
const SHORT = 160

/**
 * Returns the element of a text that a program inserted, under a label of what it means; folded if it is longer than {@link
 * SHORT} or has several lines.
 */
const taggedPart = (label: string, text: string, key: string, { folds }: BlockActions): HTMLElement => {
  const body = element('div', { class: 'plain', dir: 'auto' }, neutralise(text))
  if (text.length <= SHORT && !text.includes('\n'))
    return element('div', { class: 'tagged' }, element('span', { class: 'words' }, `${neutraliseLine(label)} `), body)
  return fold(
    key,
    'tagged',
    [neutraliseLine(label), element('span', { class: 'words' }, ` · ${counted(text.length, 'character')}`)],
    () => [body],
    folds,
  )
}

/**
 * Returns a part folded below its summary. Its body is made when it is first opened. `folds` keeps whether it is open.
 */
const fold = (
  key: string,
  className: string,
  summary: readonly Child[],
  body: () => readonly Node[],
  folds: Folds,
): HTMLDetailsElement => {
  const isOpen = folds.isOpen(key)
  const made = element('details', { class: className, open: isOpen ? '' : undefined })
  made.dataset['fold'] = key
  made.append(element('summary', {}, ...summary))
  let isFilled = false
  const fill = (): void => {
    if (isFilled) return
    isFilled = true
    made.append(...body())
  }
  if (isOpen) fill()
  made.addEventListener('toggle', () => {
    if (made.open) fill()
    folds.set(key, made.open)
  })
  return made
}

/** Characters of a text in its line, which is cut to the width of the page. */
const BRIEF_LENGTH = 400

/** Returns a text folded below its name and its beginning. Reasoning has a look of its own. */
const folded = (
  name: string,
  brief: CutText,
  text: CutText & Partial<TaggedText>,
  position: BlockPosition,
  kind: TextKind,
  actions: BlockActions,
): HTMLElement =>
  fold(
    textKey(position),
    name === 'Reasoning' ? 'thinking' : 'tool',
    [name, element('span', { class: 'words' }, ` ${neutraliseLine(brief.text.slice(0, BRIEF_LENGTH))}`)],
    () => [textElement(text, position, kind, actions)],
    actions.folds,
  )

/** The result's sign, and what is said in its place to those who do not see it. */
const RESULTS = { none: ['▸', 'no result'], done: ['✓', 'done'], failed: ['✗', 'failed'] } as const

/**
 * Returns the folded element of a call and its result. Its line says whether it failed, with the error, or has no
 * result; what it writes into files stands as a diff in place of its input.
 */
const callElement = (
  block: Extract<BlockView, { readonly type: 'call' }>,
  position: BlockPosition,
  actions: BlockActions,
): HTMLElement => {
  const { output } = block
  const result = output?.view.type === 'result' ? output.view : undefined
  const state = result === undefined ? 'none' : result.isError ? 'failed' : 'done'
  const [sign, words] = RESULTS[state]
  const error = state === 'failed' ? [element('div', { class: 'error-line' }, neutraliseLine(result?.brief ?? ''))] : []
  return fold(
    textKey(position),
    `tool ${state}`,
    [
      element('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
      ' ',
      element('span', { class: 'title' }, neutraliseLine(block.name)),
      element('span', { class: 'words' }, ` ${neutraliseLine(block.brief)}`),
      ...(block.edit === undefined ? [] : [editCounts(block.edit)]),
      element('span', { class: 'spoken' }, ` (${words})`),
      ...error,
    ],
    () => [
      ...(block.edit === undefined || block.edit.lines.length === 0
        ? [textElement(block, position, 'code', actions)]
        : editElements(block.edit)),
      ...(block.edit === undefined ? [] : [editButton(position.seq, actions)]),
      ...(output === null || result === undefined
        ? []
        : resultParts(result, { ...position, seq: output.seq, block: output.block }, actions)),
    ],
    actions.folds,
  )
}

/** Returns what a call writes into files, as added and removed lines. */
const editElements = ({ lines, linesLeft }: EditView): readonly Node[] => [
  renderDiff(lines.map(({ kind, text }) => ({ kind, text: kind === 'hunk' ? '⋯' : neutralise(text) }))),
  ...(linesLeft === 0 ? [] : [element('p', { class: 'words' }, counted(linesLeft, 'more line'))]),
]

/** Returns how many lines a call adds and removes, or that it deletes. */
const editCounts = ({ lines, deletes }: EditView): HTMLElement => {
  const { added, removed } = diffCounts(lines)
  const isOnlyDeleted = deletes > 0 && added + removed === 0
  return element('span', { class: 'words' }, isOnlyDeleted ? ' deleted' : ` +${added} −${removed}`)
}

/** Returns the button that opens the file at this edit. */
const editButton = (seq: number, { openEdit }: BlockActions): HTMLElement =>
  button('Open the file at this edit', () => openEdit(seq), { class: 'quiet' })

/** A tool's result. */
type Result = Extract<BlockView, { readonly type: 'result' }>

/** Returns the parts of a result: its text and images. */
const resultParts = (result: Result, position: BlockPosition, actions: BlockActions): readonly Node[] => [
  element('div', { class: 'words' }, result.isError ? 'Error' : 'Result'),
  textElement(result, position, 'code', actions),
  ...result.images.map((image) => imageElement(image, position.seq, actions)),
]

/** Returns the folded element of a result whose call is not nearby. */
const resultElement = (result: Result, position: BlockPosition, actions: BlockActions): HTMLElement =>
  fold(
    textKey(position),
    `tool ${result.isError ? 'failed' : 'done'}`,
    [
      `${result.isError ? 'Error' : 'Result'}${result.name === null ? '' : ` of ${neutraliseLine(result.name)}`}`,
      element('span', { class: 'words' }, ` ${neutraliseLine(result.brief)}`),
    ],
    () => resultParts(result, position, actions),
    actions.folds,
  )

/** Returns the placeholder of an image, which is then requested; a sentence if it can't be shown. */
const imageElement = (
  { position, mediaType, state, url }: ImageView,
  seq: number,
  actions: BlockActions,
): HTMLElement => {
  if (state === 'unsupported')
    return element('p', { class: 'words' }, `An image of a kind that is not shown here (${neutraliseLine(mediaType)})`)
  if (state === 'elsewhere')
    return element(
      'p',
      { class: 'words' },
      `An image that was not stored${url === null ? '' : `: ${neutraliseLine(url)}`}`,
    )
  const holder = element('div', { class: 'image', 'aria-busy': 'true' })
  holder.dataset['image'] = imageKey(seq, position)
  actions.wantImage(seq, position)
  return holder
}

const IMAGE_URL = /^data:image\/(?:png|jpeg|gif|webp);base64,/

/** Replaces a placeholder by its image; by a sentence if the address is not that of an image's data. */
export const fillImage = (holder: HTMLElement, url: string | null): void => {
  holder.setAttribute('aria-busy', 'false')
  if (url === null || !IMAGE_URL.test(url)) {
    holder.replaceChildren(element('p', { class: 'words' }, "An image that can't be read"))
    return
  }
  const image = document.createElement('img')
  image.src = url
  image.alt = 'From the conversation'
  holder.replaceChildren(image)
}
