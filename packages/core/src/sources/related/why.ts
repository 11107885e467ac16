/** Says in words why a file is related, the strongest reason first. */
import { massOf } from './history.ts'
import type { RankInput, Ranking, ScoreParts } from './rank.ts'
import { fieldCounts } from './text-scores.ts'

/** Parts of a score below this share of it are not mentioned. */
const SMALLEST_SHARE = 0.08
/** Parts due to a known file are mentioned above this score; every file shares some of its words. */
const SMALLEST_PART = 0.1
const WORDS_TOLD = 4
const SUBJECT_CHARACTERS = 60

/** Returns the reasons for a file's score as short texts for people, strongest first; empty if it has no score. */
export const reasonsFor = (input: RankInput, ranking: Ranking, file: number): string[] => {
  const { weights } = ranking
  const parts = ranking.partsOf(file)
  const score = Object.values(parts).reduce((sum, part) => sum + part, 0)
  const told: { readonly part: number; readonly reason: string }[] = []
  const tell = (part: number, reason: () => string): void => {
    if (part > score * SMALLEST_SHARE) told.push({ part, reason: reason() })
  }
  tell(parts.text + parts.path, () => textReason(input, file, weights))
  tell(parts.subjects, () => subjectReason(input, file, weights))
  tell(parts.recency + parts.latest, () => 'changed lately')
  tell(parts.sessions, () => 'used in sessions about the same')
  tell(parts.coChange, () => 'changes together with files like these')
  tell(parts.series, () => 'changes together with the files of the latest commit')
  tell(parts.folder, () => 'in a folder of files like these')
  tell(parts.focus, () => 'in the focus of the project')
  for (const reason of knownReasons(parts, input)) told.push(reason)
  return told.sort((left, right) => right.part - left.part).map(({ reason }) => reason)
}

/** The reasons that refer to the known file; empty without one. */
const knownReasons = (
  parts: ScoreParts,
  { files, known }: RankInput,
): readonly { readonly part: number; readonly reason: string }[] => {
  const path = known === undefined ? undefined : files[known]?.path
  if (path === undefined) return []
  return [
    { part: parts.knownCoChange + parts.knownTogether, reason: `changed together with ${path}` },
    { part: parts.knownStem, reason: `named like ${path}` },
    { part: parts.knownImports, reason: `imports ${path}, or is imported by it` },
    { part: parts.knownFolder, reason: `in the folder of ${path}` },
    { part: parts.knownWords, reason: `has words of ${path}` },
  ].filter(({ part }) => part > SMALLEST_PART)
}

/**
 * The question's words that the file has, rarest first, grouped by where they occur. At most `WORDS_TOLD` each; empty
 * if it has none.
 */
const textReason = ({ files, question }: RankInput, index: number, weights: readonly number[]): string => {
  const file = files[index]
  const found = question
    .map(({ hash, text }, at) => ({
      text,
      weight: weights[at] ?? 0,
      counts: file === undefined ? undefined : fieldCounts(file, hash),
    }))
    .sort((left, right) => right.weight - left.weight)
  const named = (label: string, field: 'path' | 'symbols' | 'content'): readonly string[] => {
    const words = found.filter(({ counts }) => (counts?.[field] ?? 0) > 0).slice(0, WORDS_TOLD)
    return words.length === 0 ? [] : [`${label} ${words.map(({ text }) => text).join(', ')}`]
  }
  return [...named('path:', 'path'), ...named('defines', 'symbols'), ...named('contains', 'content')].join('; ')
}

/** The commit of the file whose subject fits best, with its short id. Says only that there is one if none fits. */
const subjectReason = ({ history, question }: RankInput, file: number, weights: readonly number[]): string => {
  let best: { readonly id: string; readonly subject: string; readonly mass: number } | undefined
  for (const index of history.commitsOf[file] ?? []) {
    const commit = history.commits[index]
    const mass = commit === undefined ? 0 : massOf(commit.subjectTerms, question, weights)
    if (commit !== undefined && mass > (best?.mass ?? 0)) best = { id: commit.id, subject: commit.subject, mass }
  }
  if (best === undefined) return 'changed in commits with these words'
  const { id, subject } = best
  const shown = subject.length > SUBJECT_CHARACTERS ? `${subject.slice(0, SUBJECT_CHARACTERS - 1)}…` : subject
  return `changed in ${id.slice(0, 8)} "${shown}"`
}
