/** The one configuration of the ranking of messages. Where it comes from: docs/decisions/014. */

export interface MessageWeights {
  readonly former: number
  readonly former2: number
  /** Of the message after, in relation to the one before. */
  readonly after: number
  readonly window: number
  readonly session: number
  readonly form: number
  readonly coverage: number
  /** One passage holds much or all of the query in its very words; of a tool's result, or of a call that edits nothing. */
  readonly whole: number
  readonly toolWhole: number
  /** From which share on that counts. */
  readonly wholeFrom: number
  readonly edit: number
  /** The message before asks. */
  readonly answers: number
  /** Of a tool's turns. */
  readonly toolPassage: number
  readonly toolNeighbours: number
  readonly toolWindow: number
  /** Of the author who is named: so much if next to nothing is by them, half if half of it is. */
  readonly author: number
  /** They speak of themselves. */
  readonly ofThemselves: number
  /** Fits the author and the time that are named, where the other words say nothing. */
  readonly named: number
  /** Its tools edited, or only touched, a file that is named. */
  readonly touchedEdit: number
  readonly touched: number
  readonly type: number
  readonly short: number
  readonly asks: number
  readonly length: number
  readonly user: number
  readonly userAnyway: number
  readonly date: number
  readonly dateBase: number
  readonly dateScore: number
}

export const MESSAGE_WEIGHTS: MessageWeights = {
  former: 0.15,
  former2: 0.3,
  after: 0.6,
  window: 1,
  session: 0.2,
  form: 0.45,
  coverage: 0.1,
  whole: 2,
  toolWhole: 1,
  wholeFrom: 0.4,
  edit: 0.2,
  answers: 0.7,
  toolPassage: 2.5,
  toolNeighbours: 0.2,
  toolWindow: 0.15,
  author: 1.2,
  ofThemselves: 0.1,
  named: 8,
  touchedEdit: 0.3,
  touched: 0.1,
  type: 0.1,
  short: 0.2,
  asks: 0.2,
  length: 0.2,
  user: 1,
  userAnyway: 0.2,
  date: 3.5,
  dateBase: 0.3,
  dateScore: 0.4,
}

export interface SessionWeights {
  readonly edited: number
  readonly named: number
  readonly branch: number
  readonly mainBranch: number
  readonly best: number
  readonly user: number
  readonly said: number
  /** So many files lead on to sessions. */
  readonly files: number
  readonly fileExponent: number
}

export const SESSION_WEIGHTS: SessionWeights = {
  edited: 1,
  named: 0.2,
  branch: 0.6,
  mainBranch: 0.1,
  best: 0.4,
  user: 0.15,
  said: 0.05,
  files: 100,
  fileExponent: 1.5,
}
