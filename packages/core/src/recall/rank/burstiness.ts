/** Which words of a query tell what a stretch of talk is about. */
import type { CorpusStatistics } from './match-table.ts'

const MOST = 2

/**
 * By term, 1 … 2: more for a word that comes in clumps, held by fewer sessions than if its passages were strewn among them
 * by chance. After the residual idf of K. Church and W. Gale, "Poisson mixtures" (1995); the square root of the ratio.
 */
export const burstiness = ({
  sessions,
  termPassages,
  termSessions,
}: Pick<CorpusStatistics, 'sessions' | 'termPassages' | 'termSessions'>): Float64Array =>
  Float64Array.from(termSessions, (holding, term) => {
    if (holding === 0) return 1
    const byChance = sessions * (1 - (1 - 1 / sessions) ** (termPassages[term] ?? 0))
    return Math.min(MOST, Math.max(1, Math.sqrt(byChance / holding)))
  })
