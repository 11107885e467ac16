/** What was done by a setup, and what is left to do, as a Markdown document. */
import { neutraliseLine } from '../text/neutralise.ts'
import type { SetupAnswer } from './setup-answer.ts'

/** A line of a list: what a path or a settings file holds is text, no markup. */
const item = (text: string): string => `- ${neutraliseLine(text).replace(/[\\`*_[\]<>]/g, String.raw`\$&`)}`

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`## ${title}`, '', ...lines, '']

/** Files that setup wrote, by its answer. */
export const writtenFiles = ({ agents }: SetupAnswer): readonly string[] =>
  agents.flatMap(({ files }) => files.filter(({ status }) => status === 'written').map(({ path }) => path))

/**
 * Returns the document (Markdown) of what setup has written, what it left as it is and why, what the user has to do, and
 * how to undo it.
 */
export const setupReport = (answer: SetupAnswer): string => {
  const { agents, obstacles, history } = answer
  const steps = agents.flatMap(({ name, afterwards }) => afterwards.map((sentence) => item(`${name}: ${sentence}`)))
  const notes = agents.flatMap(({ files }) => files.flatMap((file) => file.notes.map(item)))
  return [
    '# Your agents are set up',
    '',
    ...section('Written', writtenFiles(answer).map(item)),
    ...section('Left as it is', notes),
    ...section('What is left to do', [...steps, ...obstacles.map(item)]),
    ...section('Worth knowing', history.map(item)),
    'What these files held before is kept beside them. `cairn setup --remove` in a terminal takes all of it out again.',
    '',
  ].join('\n')
}
