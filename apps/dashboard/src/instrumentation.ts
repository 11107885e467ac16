/** Runs once, before the first request. */

/** Next's hook: a team's dashboard that can't be one does not start. */
export const register = async (): Promise<void> => {
  if (process.env['NEXT_RUNTIME'] !== 'nodejs') return
  const { start } = await import('./security/team/start.ts')
  start()
}
