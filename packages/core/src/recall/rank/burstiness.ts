/** How unevenly a term is spread over sessions: bursty terms tell what a session is about. */
import type { CorpusStatistics } from './match-table.ts'

const HIGHEST = 2

/**
 * By term, from 1 to 2: the square root of how many sessions would hold the term if its passages were spread by chance,
 * divided by how many do; 1 for a term that none holds. After the residual idf of K. Church and W. Gale, "Poisson
 * mixtures" (1995).
 */
export const burstiness = ({
  sessions,
  termPassages,
  termSessions,
}: Pick<CorpusStatistics, 'sessions' | 'termPassages' | 'termSessions'>): Float64Array =>
  Float64Array.from(termSessions, (holding, term) => {
    if (holding === 0) return 1
    const expected = sessions * (1 - (1 - 1 / sessions) ** (termPassages[term] ?? 0))
    return Math.min(HIGHEST, Math.max(1, Math.sqrt(expected / holding)))
  })
