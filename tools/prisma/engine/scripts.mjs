// The engine replays a whole migration file as one raw statement; drivers prepare a single statement at a time.

/**
 * Makes `executeRaw` without arguments accept many statements, by way of `executeScript`. Changes the adapter, and
 * returns it.
 * @template {{ executeRaw(query: { sql: string, args: unknown[] }): Promise<number>, executeScript(sql: string):
 * Promise<void> }} A
 * @param {A} adapter
 * @returns {A}
 */
export function runsScripts(adapter) {
  const executeOne = adapter.executeRaw.bind(adapter)
  adapter.executeRaw = async (query) => {
    if (query.args.length > 0) return executeOne(query)
    await adapter.executeScript(query.sql)
    return 0
  }
  return adapter
}
