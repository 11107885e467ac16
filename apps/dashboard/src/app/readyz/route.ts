/** Whether this process can answer what is asked of it. */
import { healthAnswer } from '../../security/team/health-answer.ts'
import { storeReadiness } from '../../store/dashboard-store.ts'

export const dynamic = 'force-dynamic'

/**
 * `ok` while the store can be read, and how far it is behind where it is a replica; else 503. The store is looked at once a
 * second at most, however often this is asked.
 */
export const GET = async (): Promise<Response> => {
  const { isReady, replica } = await storeReadiness()
  return healthAnswer(isReady, replica)
}
