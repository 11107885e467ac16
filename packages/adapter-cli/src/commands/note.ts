/** `cairn note`: named texts of a project. */
import { CairnError, createMarker } from '@cairn/core'
import type { Engine } from '@cairn/core'
import type { Command } from 'commander'
import type { CommonOptions, Context, Define } from '../command.ts'
import { noteLines } from '../output/note-output.ts'
import { wholeNumber } from '../options/option-values.ts'
import { projectName, projectOf } from '../options/project-option.ts'
import { refuseRepeated } from '../options/repeated-options.ts'
import { secretsIn, secretsText } from '../output/replaced-secrets-text.ts'
import { givenText } from '../options/standard-input.ts'
import { counted, formatTime } from '../terminal/format.ts'
import { neutralise, neutraliseLine } from '../terminal/neutralise.ts'
import { tableLines } from '../terminal/table.ts'
import { asUsage, checkNoWords } from '../options/wrong-usage.ts'
import { instantOf } from './memory-values.ts'

interface AsOfOptions extends CommonOptions {
  readonly asOf?: string
}

interface SearchOptions extends CommonOptions {
  readonly limit: number
}

const HELP = `
Notes of the current project; --workspace chooses another. A key may be any text
of up to 512 characters, a note may have up to 1,000,000. Old versions are kept:
--as-of shows them.

Examples:
  cairn note set deploy "Fridays only after the smoke test"
  git log --oneline -20 | cairn note set recent-work -
  cairn note get deploy
  cairn note search smoke`

/** Characters of a note that are examined for its line in the list. */
const TEXT_READ = 400

/** Declares `cairn note`: description, options, help and action. */
export const define: Define = (command, context) => {
  command.description('Named texts of a project, kept between sessions.').addHelpText('after', HELP)
  command
    .command('set')
    .description('Write a note; "-" reads the text from standard input.')
    .argument('<key>', 'its name')
    .argument('<text...>', 'its text')
    .addHelpText(
      'after',
      '\nExamples:\n  cairn note set deploy "Fridays only after the smoke test"\n  cat plan.md | cairn note set plan -',
    )
    .action((key: string, text: readonly string[], options: CommonOptions) =>
      runSet(key, text.join(' '), options, context),
    )
  command
    .command('get')
    .description('Print a note; to a file or program exactly as it was set.')
    .argument('<key>', 'its name')
    .option('--as-of <time>', 'as it was at this time')
    .addHelpText('after', '\nExamples:\n  cairn note get deploy\n  cairn note get deploy --as-of 2026-01-31 --json')
    .action((key: string, options: AsOfOptions) => runGet(key, options, context))
  command
    .command('list', { isDefault: true })
    .description('List all notes, by key.')
    .allowExcessArguments()
    .option('--as-of <time>', 'as they were at this time')
    .addHelpText('after', '\nExamples:\n  cairn note list\n  cairn note list --workspace app --json')
    .action((options: AsOfOptions, list: Command) => {
      checkNoWords(list, command)
      return runList(options, context)
    })
  defineRest(command, context)
  refuseRepeated(command)
}

/** Declares `note search` and `note delete`. */
const defineRest = (command: Command, context: Context): void => {
  command
    .command('search')
    .description('Find notes whose key or text contains these words.')
    .argument('<words...>', 'words to look for')
    .option('--limit <n>', 'at most n', wholeNumber('--limit', 1), 10)
    .addHelpText('after', '\nExamples:\n  cairn note search smoke test\n  cairn note search deploy --limit 1 --json')
    .action((words: readonly string[], options: SearchOptions) => runSearch(words.join(' '), options, context))
  command
    .command('delete')
    .description('Remove a note; --as-of an earlier time still shows it.')
    .argument('<key>', 'its name')
    .addHelpText('after', '\nExamples:\n  cairn note delete deploy\n  cairn note delete deploy --json')
    .action((key: string, options: CommonOptions) => runDelete(key, options, context))
}

/** The engine, and the project whose notes are meant. */
interface NoteProject {
  readonly engine: Engine
  readonly workspace: string
}

/** Opens the store, for writing only if asked for, and finds the project, by default the current one. */
const openProject = async (options: CommonOptions, context: Context, writes = false): Promise<NoteProject> => {
  const engine = await (writes ? context.engine(options) : context.readEngine(options))
  return { engine, workspace: await projectOf(options, engine, context) }
}

/**
 * Writes a note of the project in place of the one with that key, whose text stays readable as of then. `-` reads the
 * text from standard input. Known secrets in key and text are replaced first. Prints a line for people, with `--json`
 * instead `{note, redactions}`: the note as stored, and how many secrets were replaced. Rejects with `usage` for a
 * blank or too long key or text, or standard input that is not UTF-8.
 */
export const runSet = async (key: string, given: string, options: CommonOptions, context: Context): Promise<void> => {
  if (given.trim() === '')
    throw new CairnError('usage', 'What should the note say? Give a text, or - for standard input.')
  const text = await givenText(given)
  const { engine, workspace } = await openProject(options, context, true)
  const note = await asUsage(engine.notes.set(workspace, key, text))
  const redactions = secretsIn([key, text])
  if (options.json === true) return context.json({ note, redactions })
  await context.terminal.line(
    `Noted: ${neutraliseLine(note.key)} (${counted(note.text.length, 'character')})${redactions === 0 ? '' : `.${secretsText(redactions)}`}`,
  )
}

/**
 * Prints a note, with `--as-of` as it was then: `{note}` as JSON; into a pipe its exact text. Rejects with `not-found`,
 * naming similar keys.
 */
export const runGet = async (key: string, options: AsOfOptions, context: Context): Promise<void> => {
  const asOf = await instantOf(options.asOf, options, context)
  const { engine, workspace } = await openProject(options, context)
  const note = await asUsage(engine.notes.get(workspace, key, asOf))
  if (options.json === true) return context.json({ note })
  const { terminal } = context
  // A file or a program gets exactly what was set.
  return terminal.isOutputTerminal ? terminal.line(neutralise(note.text)) : terminal.write(note.text)
}

/**
 * Lists a project's notes in a table: `{workspace, notes}` as JSON. No notes are no failure. They are by key; `--as-of`
 * shows those of a time. A long text is cut.
 */
export const runList = async (options: AsOfOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const asOf = await instantOf(options.asOf, options, context)
  const { engine, workspace } = await openProject(options, context)
  const notes = await engine.notes.list(workspace, asOf)
  if (options.json === true) return context.json({ workspace, notes })
  const {
    head,
    rows,
    total = '',
  } = tableLines({
    columns: [
      { title: 'key', shorten: 'middle', minimum: 12 },
      { title: 'changed' },
      { title: 'text', shorten: 'end', minimum: 20 },
    ],
    rows: notes.map(({ key, updatedAt, text }) => [
      neutraliseLine(key),
      formatTime(updatedAt),
      neutraliseLine(text.slice(0, TEXT_READ)),
    ]),
    total: ['Total', '', `${counted(notes.length, 'note')} of ${neutraliseLine(projectName(workspace))}`],
    width: terminal.width,
  })
  if (notes.length > 0) await terminal.line(terminal.style('bold', head))
  for (const row of rows) await terminal.line(row)
  await terminal.line(
    terminal.style(
      'bold',
      notes.length === 0 ? `Total: no notes of ${neutraliseLine(projectName(workspace))}.` : total,
    ),
  )
}

/**
 * Searches a project's notes, best first: `{workspace, query, results: [{…note, score}]}` as JSON. No results are no
 * failure. Rejects with `usage` for blank words.
 */
export const runSearch = async (words: string, options: SearchOptions, context: Context): Promise<void> => {
  if (words.trim() === '')
    throw new CairnError('usage', 'What should be searched for? Give some words: cairn note search smoke')
  const { terminal } = context
  const { engine, workspace } = await openProject(options, context)
  const found = await asUsage(engine.notes.search(workspace, words, options.limit))
  if (options.json === true)
    return context.json({ workspace, query: words, results: found.map(({ note, score }) => ({ ...note, score })) })
  const marker = createMarker(words)
  for (const { note } of found) {
    for (const line of noteLines(note, marker, terminal)) await terminal.line(line)
    await terminal.line()
  }
  await terminal.line(found.length === 0 ? 'Total: nothing was found.' : `Total: ${counted(found.length, 'note')}`)
}

/** Removes a note: `{workspace, deleted}` as JSON. Rejects with `not-found`, naming similar keys. */
export const runDelete = async (key: string, options: CommonOptions, context: Context): Promise<void> => {
  const { engine, workspace } = await openProject(options, context, true)
  await asUsage(engine.notes.delete(workspace, key))
  if (options.json === true) return context.json({ workspace, deleted: key })
  await context.terminal.line(`Deleted: ${neutraliseLine(key)}`)
}
