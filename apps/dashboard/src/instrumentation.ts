/** Runs once, before the first request. */

/**
 * Next calls this before the first request. Rejects if a team's dashboard can't use its settings, so that it does not
 * start.
 */
export const register = async (): Promise<void> => {
  if (process.env['NEXT_RUNTIME'] !== 'nodejs') return
  const { start } = await import('./security/team/start.ts')
  start()
}
