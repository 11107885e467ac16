/** The baseline rankers by name. */
import type { RankerName } from '../../ports/search-index.ts'
import type { Baseline } from './baseline.ts'
import { clioScore } from './clio.ts'
import { plainBm25 } from './plain-bm25.ts'

export type { Baseline, BaselineMessage } from './baseline.ts'

/** `bm25` and `clio`, as `--ranker` names them. */
export const BASELINES: Readonly<Record<Exclude<RankerName, 'cairn'>, Baseline>> = { bm25: plainBm25, clio: clioScore }
