/** All weights of the ranking. How they were fitted: docs/decisions/014. */

/** Weights of the features of a message; see `message-features.ts`. Factors unless a comment says otherwise. */
export interface MessageWeights {
  /** Best passage of the message directly before; and of the one before that. */
  readonly previous: number
  readonly secondPrevious: number
  /** The messages after count this share of those before. */
  readonly following: number
  /** The message and two on either side, read as one text. */
  readonly window: number
  readonly session: number
  /** For questions: a message of several passages, read as one text. */
  readonly wholeMessage: number
  /** Words in the exact form of the query. */
  readonly form: number
  readonly coverage: number
  /** One passage holds much or all of the query in the exact words: in a message or an edit; in other tool messages. */
  readonly exactWords: number
  readonly toolExactWords: number
  /** The share of the query above which exact words count, 0 to 1. */
  readonly exactWordsFrom: number
  /** The message before asks a question. */
  readonly answer: number
  /** In place of the factors for talk, for calls and results of tools. */
  readonly toolPassage: number
  readonly toolNeighbours: number
  readonly toolWindow: number
  /** In place of `toolPassage`, for queries in sentences. */
  readonly proseToolPassage: number
  /** For queries in sentences, where tools did something: what the assistant says of it. */
  readonly proseAssistant: number
  /** By an author whom the query names, scaled down by the share of messages that author wrote. */
  readonly author: number
  /** The named author writes in the first person. */
  readonly authorFirstPerson: number
  /** Boost for fitting the named author and time when the other words of the query are common. */
  readonly named: number
  /** Its tools edited, or only read or mentioned, a file that the query names. */
  readonly editedNamedFile: number
  readonly touchedNamedFile: number
  /** Its tools edited a file that words of the query name. */
  readonly editedSpokenFile: number
  /** It edits any file. */
  readonly edit: number
  /** It has what the type of question asks for, such as a date for "when". */
  readonly questionType: number
  /** Subtracted from messages that ask themselves; a short one, a longer one. */
  readonly shortQuestionPenalty: number
  readonly questionPenalty: number
  /** Long messages, for questions. */
  readonly length: number
  /** Written by the user; and the share of it when the query does not say "I" or "my". */
  readonly user: number
  readonly userShare: number
  /** Written by the assistant, when the query asks what the assistant said. */
  readonly assistant: number
  /** For queries that are error messages: the result of a tool; the earliest message with nearly all of the query. */
  readonly errorResult: number
  readonly errorFirst: number
  /** Fits a date that the query names: weight × (base + score factor × score so far). */
  readonly date: number
  readonly dateBase: number
  readonly dateScore: number
}

export const MESSAGE_WEIGHTS: MessageWeights = {
  previous: 0.15,
  secondPrevious: 0.3,
  following: 0.6,
  window: 1,
  session: 0.2,
  wholeMessage: 0.2,
  form: 0.45,
  coverage: 0.1,
  exactWords: 2,
  toolExactWords: 1,
  exactWordsFrom: 0.4,
  answer: 0.7,
  toolPassage: 2.5,
  toolNeighbours: 0.2,
  toolWindow: 0.15,
  proseToolPassage: 1.5,
  proseAssistant: 1,
  author: 1.2,
  authorFirstPerson: 0.1,
  named: 8,
  editedNamedFile: 0.3,
  touchedNamedFile: 0.1,
  editedSpokenFile: 0.2,
  edit: 0.2,
  questionType: 0.1,
  shortQuestionPenalty: 0.2,
  questionPenalty: 0.2,
  length: 0.2,
  user: 1,
  userShare: 0.2,
  assistant: 1,
  errorResult: 1,
  errorFirst: 0.5,
  date: 3.5,
  dateBase: 0.3,
  dateScore: 0.4,
}

/** Weights of the features of a session. Each feature is scaled so that the best session has 1. */
export interface SessionWeights {
  /** Edited files that the request is about; touched files that it names. */
  readonly edited: number
  readonly named: number
  /** On the branch of the request; less on a main branch. */
  readonly branch: number
  readonly mainBranch: number
  /** A title that holds all words of the request. */
  readonly title: number
  /** Its best messages; what its user wrote; all but results of tools. */
  readonly best: number
  readonly user: number
  readonly withoutResults: number
  /** How many of the best files lead to sessions, and the exponent of their scores. */
  readonly files: number
  readonly fileExponent: number
}

export const SESSION_WEIGHTS: SessionWeights = {
  edited: 1,
  named: 0.2,
  branch: 0.6,
  mainBranch: 0.1,
  title: 0.3,
  best: 0.4,
  user: 0.15,
  withoutResults: 0.05,
  files: 100,
  fileExponent: 1.5,
}
