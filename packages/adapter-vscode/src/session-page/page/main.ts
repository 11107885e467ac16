/** The page of a session: shows what the extension tells, and asks for entries as they come into sight. */
import { counted } from '../../text/format.ts'
import type { HostMessage, PageMessage, SessionHead } from '../messages.ts'
import { createEntryList, type EntryPosition } from './entry-list.ts'
import { createFindBar } from './find.ts'
import { createFolds } from './folds.ts'
import { keptState, type KeptState } from './kept-state.ts'
import { createLayout } from './layout.ts'
import { createOutline } from './outline.ts'
import { fillImage, fillText, textKey } from './render-block.ts'
import type { EntryActions } from './render-entry.ts'

/** What VS Code offers to the page's script. */
interface EditorApi {
  postMessage(message: PageMessage): void
  getState(): unknown
  setState(state: KeptState): void
}
/** VS Code gives it to the page's own script, once. */
declare const acquireVsCodeApi: () => EditorApi

const AFTER_SCROLL_MS = 150
/** Narrower pages begin without an outline, px. */
const WIDE = 700

const editor = acquireVsCodeApi()
/** Sends a message to the extension. */
const post = (message: PageMessage): void => editor.postMessage(message)
const kept = keptState(editor.getState())
const folds = createFolds(kept?.folds ?? { isOpen: false, others: [] })
let showsOutline = kept?.showsOutline ?? window.innerWidth >= WIDE
let head: SessionHead | undefined
/** What the outline was asked for. */
let outlined: SessionHead | undefined
/** Where the page was before the editor threw it away; gone to once. */
let lastPosition: EntryPosition | undefined = kept

const actions: EntryActions = {
  folds,
  openLink: (address) => post({ type: 'open-link', address }),
  copy: (text) => post({ type: 'copy', text }),
  wantText: (seq, block) => post({ type: 'text', seq, block }),
  wantImage: (seq, position) => post({ type: 'image', seq, position: [...position] }),
  openEdit: (seq) => post({ type: 'open-edit', seq }),
  copyLink: (seq) => post({ type: 'copy-link', seq }),
}

const outline = createOutline((seq) => list.goTo(seq))
const find = createFindBar(
  (text) => post({ type: 'find', text }),
  (seq) => list.goTo(seq),
)
const layout = createLayout(outline.element, find.element, {
  /** Shows or hides the outline, and remembers that. */
  toggleOutline: () => {
    showsOutline = !showsOutline
    layout.setOutline(showsOutline)
    keep()
  },
  /** Folds or unfolds everything, and remembers that. */
  setFolded: (isFolded) => {
    folds.setAll(!isFolded)
    list.redraw()
    keep()
  },
  openAsText: () => post({ type: 'open-as-text', seq: list.firstSeen()?.seq ?? 0 }),
  openDashboard: () => post({ type: 'open-dashboard' }),
})
const list = createEntryList(layout.conversation, (page) => post({ type: 'entries', page }), actions)

/** Saves where the page is scrolled to, and what is open; marks the turn there in the outline. */
const keep = (): void => {
  const seen = list.firstSeen() ?? { seq: lastPosition?.seq ?? 0, offset: lastPosition?.offset ?? 0 }
  outline.mark(seen.seq)
  editor.setState({ ...seen, folds: folds.kept, showsOutline })
}

/** Requests the outline of the current log, once per change. */
const wantOutline = (): void => {
  if (head === undefined || head === outlined) return
  outlined = head
  post({ type: 'outline' })
}

/**
 * Shows the head of a session, adjusts the list to its number of entries, says how many are new, and requests the outline.
 * The first time it goes to where the page was before, and leaves the outline until entries are shown.
 */
const showSession = (next: SessionHead): void => {
  const isFirst = head === undefined
  if (isFirst && kept === undefined) folds.setAll(!next.foldsTools)
  const added = next.entries - (head?.entries ?? next.entries)
  head = next
  layout.update(next)
  list.setCount(next.entries)
  if (!isFirst || next.entries === 0) wantOutline()
  if (added > 0) layout.say(`${counted(added, 'new entry', 'new entries')}.`)
  if (lastPosition !== undefined) list.goBackTo(lastPosition)
  lastPosition = undefined
}

/** Returns the elements of a text or image with the key. */
const elementsWith = (name: 'text' | 'image', key: string): readonly HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(`[data-${name}]`)].filter((each) => each.dataset[name] === key)

// Only the extension can reach this window; what it tells is made of our own types.
window.addEventListener('message', ({ data }: MessageEvent<HostMessage>) => {
  switch (data.type) {
    case 'session':
      showSession(data.head)
      return
    case 'outline':
      outline.update(data.outline)
      return
    case 'entries':
      list.show(data.page, data.entries)
      wantOutline()
      keep()
      return
    case 'text':
      for (const each of elementsWith('text', textKey(data))) fillText(each, data.text, data, actions)
      return
    case 'image':
      for (const each of elementsWith('image', data.key)) fillImage(each, data.url)
      return
    case 'found':
      find.found(data.text, data.entries)
      return
    case 'show':
      list.goTo(data.seq)
      return
    case 'problem':
      layout.setProblem(data.sentence)
  }
})

let soon: ReturnType<typeof setTimeout> | undefined
/** Saves the state once scrolling has stopped. */
const keepSoon = (): void => {
  clearTimeout(soon)
  soon = setTimeout(keep, AFTER_SCROLL_MS)
}
layout.conversation.addEventListener('scroll', keepSoon, { passive: true })
layout.conversation.addEventListener('toggle', keepSoon, { capture: true })
layout.setOutline(showsOutline)
post({ type: 'ready' })
