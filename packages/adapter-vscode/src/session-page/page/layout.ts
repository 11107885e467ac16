/** The page's frame: the head with the session's facts, the outline, and the conversation. */
import { button, element } from '../../webview/page/dom.ts'
import type { SessionHead } from '../messages.ts'

/** What the buttons of the frame do. */
export interface LayoutActions {
  readonly toggleOutline: () => void
  readonly setFolded: (isFolded: boolean) => void
  readonly openAsText: () => void
  readonly openDashboard: () => void
}

/** The frame around the conversation. */
export interface Layout {
  readonly conversation: HTMLElement
  update(head: SessionHead): void
  /** Says in place of the facts why there is no session to show; '' takes it back. */
  setProblem(sentence: string): void
  setOutline(isShown: boolean): void
  /** Says a sentence to a screen reader. */
  say(sentence: string): void
}

/** Facts that stand in the line below the title; all of them are in the list that it opens. */
const BRIEF: ReadonlySet<string> = new Set(['agent', 'cost', 'tokens', 'length'])

/**
 * Builds the frame in the page's body: title, buttons, facts, find bar, outline and conversation. `update` shows a
 * session's head and takes a problem back.
 */
export const createLayout = (outline: HTMLElement, find: HTMLElement, actions: LayoutActions): Layout => {
  const title = element('h1', { class: 'session' })
  const brief = element('summary', {})
  const facts = element('dl', {})
  const problem = element('p', { class: 'notice error', role: 'alert', hidden: '' })
  const live = element('div', { class: 'spoken', role: 'status', 'aria-live': 'polite' })
  const toggle = button('Outline', actions.toggleOutline, { class: 'quiet', 'aria-expanded': 'true' })
  const conversation = element('main', { class: 'conversation', 'aria-label': 'Conversation', tabindex: '0' })
  document.body.append(
    element(
      'header',
      {},
      element(
        'div',
        { class: 'head-line' },
        title,
        toggle,
        button('Unfold all', () => actions.setFolded(false), { class: 'quiet' }),
        button('Fold all', () => actions.setFolded(true), { class: 'quiet' }),
        button('As text', actions.openAsText, { class: 'quiet', title: 'Open this session as a text' }),
        button('Dashboard', actions.openDashboard, { class: 'quiet', title: 'Open this session in the dashboard' }),
      ),
      element('details', { class: 'facts' }, brief, facts),
      problem,
      find,
    ),
    element('div', { class: 'columns' }, outline, conversation),
    live,
  )
  return {
    conversation,
    update: (head) => {
      title.textContent = head.title
      document.title = head.title
      brief.textContent = head.facts
        .filter(([name]) => BRIEF.has(name))
        .map(([, text]) => text)
        .join(' · ')
      facts.replaceChildren(
        ...head.facts.flatMap(([name, text]) => [element('dt', {}, name), element('dd', {}, text)]),
        ...head.notes.map((note) => element('dd', { class: 'words' }, note)),
      )
      problem.hidden = true
    },
    setProblem: (sentence) => {
      problem.textContent = sentence
      problem.hidden = sentence === ''
    },
    setOutline: (isShown) => {
      outline.hidden = !isShown
      toggle.setAttribute('aria-expanded', String(isShown))
    },
    say: (sentence) => {
      live.textContent = sentence
    },
  }
}
