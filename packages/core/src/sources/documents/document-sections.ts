/** The texts of context documents, made from facts: the same facts give the same bytes. Everything recorded in them is one cleaned line. */
import { redact } from '../../redaction/index.ts'
import { cleanText, oneLine } from '../../summary/bounded-text.ts'
import { escapeTags } from '../../summary/markup.ts'
import { dayText } from '../../time-text.ts'
import { replaceUnsafe } from '../../unsafe-characters.ts'
import { projectMap } from '../map/project-map.ts'
import type { DocumentFacts } from './document-facts.ts'
import type { DocumentId } from './document-layout.ts'
import type { MarkedSection } from './marked-sections.ts'

/** A section before it becomes Markdown. */
interface Section {
  readonly id: string
  readonly heading: string
  readonly lines: readonly string[]
  /** What is written where there are none. */
  readonly none: string
}

/** The title that a new file of each document begins with. */
export const DOCUMENT_TITLES: Readonly<Record<DocumentId, string>> = {
  projectbrief: 'Project brief',
  productContext: 'Product context',
  activeContext: 'Active context',
  systemPatterns: 'System patterns',
  techContext: 'Tech context',
  progress: 'Progress',
}

const LINE = 300
const PARAGRAPH = 800
const MAP_TOKENS = 800
const MOST_OF_SECTION = {
  paragraphs: 3,
  headings: 20,
  requests: 15,
  documents: 20,
  sessions: 5,
  files: 15,
  items: 20,
  scripts: 30,
}
const LANGUAGES = 8

/**
 * Returns the sections of each document as Markdown, in order, with known secrets replaced. A section with nothing to
 * report holds one sentence that says so, in italics. Lists are cut to their first items, most of them followed by the
 * number left out; of sessions, endings, todo items and paragraphs it is not told. Pure.
 */
export const documentSections = (facts: DocumentFacts): Readonly<Record<DocumentId, readonly MarkedSection[]>> => {
  const made = {
    projectbrief: [project(facts)],
    productContext: [purpose(facts), documentation(facts), requests(facts)],
    activeContext: [focus(facts), work(facts), sessions(facts), editedFiles(facts), notes(facts)],
    systemPatterns: [
      structure(facts),
      remembered(facts, 'patterns', 'Patterns and rules', ['pattern', 'context_rule']),
    ],
    techContext: [
      languages(facts),
      commands(facts),
      remembered(facts, 'discoveries', 'What was found out', ['discovery', 'workflow']),
    ],
    progress: [
      todo(facts),
      commits(facts),
      remembered(facts, 'solutions', 'What was solved', ['solution']),
      remembered(facts, 'failures', 'What does not work', ['failure']),
    ],
  }
  const bodies = (all: readonly Section[]): readonly MarkedSection[] =>
    all.map(({ id, ...section }) => ({ id, body: bodyOf(section) }))
  return {
    projectbrief: bodies(made.projectbrief),
    productContext: bodies(made.productContext),
    activeContext: bodies(made.activeContext),
    systemPatterns: bodies(made.systemPatterns),
    techContext: bodies(made.techContext),
    progress: bodies(made.progress),
  }
}

/**
 * The Markdown of a section, with secrets replaced and HTML comments escaped, so that no line of it can pass for one of
 * our marks.
 */
const bodyOf = ({ heading, lines, none }: Omit<Section, 'id'>): string =>
  redact([`## ${heading}`, '', ...(lines.length === 0 ? [`_${none}_`] : lines)].join('\n'))
    .text.replaceAll('<!--', '&lt;!--')
    .trimEnd()

/** The text with U+FFFD in place of each character that hides or reorders text. */
const visible = (text: string): string => replaceUnsafe(text, () => '\ufffd')

/**
 * Recorded text as one line of plain data: without line breaks, hidden characters or tags of ours, cut to `longest`
 * characters with an ellipsis.
 */
const line = (text: string, longest = LINE): string => {
  const plain = escapeTags(oneLine(visible(cleanText(text))))
  return plain.length <= longest ? plain : `${plain.slice(0, longest - 1).toWellFormed()}…`
}

/** Markdown list items for the first `most` texts, and one more item that counts the rest; empty for no texts. */
const items = (texts: readonly string[], most: number): readonly string[] => [
  ...texts.slice(0, most).map((text) => `- ${text}`),
  ...(texts.length > most ? [`- … and ${texts.length - most} more`] : []),
]
/** The text as one line of inline code; backticks in it become apostrophes. */
const code = (text: string): string => `\`${line(text).replaceAll('`', "'")}\``
/** " (2026-01-31)" for a time in ms, " (undated)" for one that is no date; empty for null. */
const onDay = (at: number | null): string => (at === null ? '' : ` (${dayText(at) ?? 'undated'})`)

/** The project's name, its description, the README's first paragraph unless it is the same, and the number of files. */
const project = ({ name, description, readme, paths }: DocumentFacts): Section => {
  const [first] = readme?.paragraphs ?? []
  return {
    id: 'project',
    heading: line(name),
    lines: [
      ...(description === undefined ? [] : [line(description, PARAGRAPH), '']),
      ...(first === undefined || first === description ? [] : [line(first, PARAGRAPH), '']),
      `${paths.length} ${paths.length === 1 ? 'file' : 'files'}.`,
    ],
    none: 'Nothing is known of it.',
  }
}

/** The first paragraphs and the headings of the README. */
const purpose = ({ readme }: DocumentFacts): Section => ({
  id: 'purpose',
  heading: 'What it is for, by its README',
  lines: [
    ...(readme?.paragraphs ?? []).slice(0, MOST_OF_SECTION.paragraphs).flatMap((text) => [line(text, PARAGRAPH), '']),
    ...items(
      (readme?.headings ?? []).map((text) => line(text)),
      MOST_OF_SECTION.headings,
    ),
  ],
  none: 'There is no README.',
})

/** Documents at the top and in `doc` or `docs`. At most `MOST_OF_SECTION.documents`. */
const documentation = ({ paths }: DocumentFacts): Section => ({
  id: 'documentation',
  heading: 'Documentation',
  lines: items(
    paths.filter((path) => /^(?:docs?\/)?[^/]+\.(?:mdx?|rst|adoc)$/i.test(path)).map(code),
    MOST_OF_SECTION.documents,
  ),
  none: 'No documents were found.',
})

/** The titles of the latest sessions, each once. At most `MOST_OF_SECTION.requests`; the latest first. */
const requests = ({ sessions: all }: DocumentFacts): Section => ({
  id: 'requests',
  heading: 'What was asked for lately',
  lines: items(
    [...new Set(all.map(({ title }) => line(title)))].filter((title) => title !== ''),
    MOST_OF_SECTION.requests,
  ),
  none: 'No session is recorded yet.',
})

/** What the project's focus is, if one is set. */
const focus = (facts: DocumentFacts): Section => ({
  id: 'focus',
  heading: 'Focus',
  lines: facts.focus === undefined ? [] : [line(facts.focus)],
  none: 'None is set (cairn context focus).',
})

/** The branch and the files that are not committed; empty without git. At most `MOST_OF_SECTION.items` files. */
const work = ({ git }: DocumentFacts): Section => ({
  id: 'work',
  heading: 'Work at hand',
  lines:
    git === undefined
      ? []
      : [
          `Branch: ${line(git.branch)}`,
          '',
          ...(git.changed.length === 0
            ? ['Everything is committed.']
            : ['Not committed:', '', ...items(git.changed.map(code), MOST_OF_SECTION.items)]),
        ],
  none: 'There is no git repository.',
})

/** The latest sessions with agent and day; at most `MOST_OF_SECTION.sessions`. */
const sessions = (facts: DocumentFacts): Section => ({
  id: 'sessions',
  heading: 'Latest sessions',
  lines: items(
    facts.sessions
      .slice(0, MOST_OF_SECTION.sessions)
      .map(({ title, agent, at }) => `${line(title) || 'untitled'} · ${line(agent)}${onDay(at)}`),
    MOST_OF_SECTION.sessions,
  ),
  none: 'No session is recorded yet.',
})

/** Files with how often they were edited, in the order given; at most `MOST_OF_SECTION.files`. */
const editedFiles = ({ edited }: DocumentFacts): Section => ({
  id: 'files',
  heading: 'Files edited in sessions',
  lines: items(
    edited.map(({ path, edits, at }) => `${code(path)} ${edits} ${edits === 1 ? 'edit' : 'edits'}${onDay(at)}`),
    MOST_OF_SECTION.files,
  ),
  none: 'No session edited a file yet.',
})

/** The keys of notes, not their texts; at most `MOST_OF_SECTION.items`. */
const notes = (facts: DocumentFacts): Section => ({
  id: 'notes',
  heading: 'Notes',
  lines: items(
    facts.notes.map((key) => `${code(key)} (cairn note get)`),
    MOST_OF_SECTION.items,
  ),
  none: 'There are no notes.',
})

/** The map of the project's files. Indented, so that nothing in it is Markdown. */
const structure = ({ paths }: DocumentFacts): Section => ({
  id: 'structure',
  heading: 'Structure',
  lines:
    paths.length === 0
      ? []
      : projectMap({ paths, tokens: MAP_TOKENS })
          .text.trimEnd()
          .split('\n')
          .map((row) => `    ${escapeTags(visible(row))}`),
  none: 'There are no files.',
})

/** What is remembered of some kinds, a line each; at most `MOST_OF_SECTION.items`. */
const remembered = ({ memory }: DocumentFacts, id: string, heading: string, kinds: readonly string[]): Section => ({
  id,
  heading,
  lines: items(
    memory.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => line(text)),
    MOST_OF_SECTION.items,
  ),
  none: 'Nothing is remembered yet (cairn memory add).',
})

/** The most frequent endings of files, with their counts. At most `LANGUAGES`; small letters, equal ones by name. */
const languages = ({ paths }: DocumentFacts): Section => {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const ending = /[^/]\.([a-z0-9]{1,10})$/i.exec(path)?.[1]?.toLowerCase()
    if (ending !== undefined) counts.set(ending, (counts.get(ending) ?? 0) + 1)
  }
  const sorted = [...counts].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
  return {
    id: 'languages',
    heading: 'Files by ending',
    lines: sorted.slice(0, LANGUAGES).map(([ending, count]) => `- .${ending}: ${count}`),
    none: 'There are no files.',
  }
}

/** The manifest's scripts with their commands; at most `MOST_OF_SECTION.scripts`. */
const commands = ({ scripts }: DocumentFacts): Section => ({
  id: 'commands',
  heading: 'Commands',
  lines: items(
    scripts.map(({ name, command }) => `${code(`npm run ${name}`)}: ${code(command)}`),
    MOST_OF_SECTION.scripts,
  ),
  none: 'The manifest names none.',
})

/** The todo list, done items ticked; the first `MOST_OF_SECTION.items`. */
const todo = (facts: DocumentFacts): Section => ({
  id: 'todo',
  heading: 'Todo list of the latest session',
  lines: facts.todo
    .slice(0, MOST_OF_SECTION.items)
    .map(({ text, isDone }) => `- [${isDone ? 'x' : ' '}] ${line(text)}`),
  none: 'There is none.',
})

/** The subjects of the latest commits; at most `MOST_OF_SECTION.items`. */
const commits = ({ git }: DocumentFacts): Section => ({
  id: 'commits',
  heading: 'Latest commits',
  lines: items(
    (git?.commits ?? []).map((text) => line(text)),
    MOST_OF_SECTION.items,
  ),
  none: 'There are no commits.',
})
