/** For end-to-end tests: what two stores must agree in for their content to be the same. */
import type { Sandbox } from './run-cli.ts'

interface Rows {
  readonly rows: readonly { readonly key: string }[]
}

interface SessionList {
  readonly total: number
  readonly sessions: readonly { readonly id: string }[]
}

const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** Usage and facts of up to 1,000 sessions, each sorted by id, and how many sessions there are; `args` name the store. */
export const storeTotals = async (
  sandbox: Sandbox,
  ...args: readonly string[]
): Promise<{ readonly usage: unknown; readonly sessions: readonly unknown[]; readonly total: number }> => {
  const usage = (await sandbox.json('usage', '--by', 'session', ...args)) as Rows
  const { sessions, total } = (await sandbox.json('session', 'list', '--limit', '1000', ...args)) as SessionList
  return {
    usage: { ...usage, rows: [...usage.rows].sort((left, right) => byText(left.key, right.key)) },
    sessions: [...sessions].sort((left, right) => byText(left.id, right.id)),
    total,
  }
}
