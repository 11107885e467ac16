/** `cairn checkpoint prune`. */
import type { PruneOutcome, SnapshotLimits } from '@cairn/core'
import type { CommonOptions, Context } from '../command.ts'
import { openCheckpointFolder } from '../options/checkpoint-root.ts'
import { CairnError } from '@cairn/core'
import { counted, formatBytes } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** The options of `checkpoint prune`. */
export interface PruneOptions extends CommonOptions {
  readonly keep?: number
  readonly days?: number
  /** Megabytes. */
  readonly size?: number
  readonly all?: boolean
  readonly dryRun?: boolean
}

/** What was pruned of one folder. */
interface Row extends PruneOutcome {
  readonly root: string
}

/** Returns the limits that were given; others keep their defaults. Megabytes are of 1,000,000 bytes. */
const limitsOf = ({ keep, days, size }: PruneOptions): Partial<SnapshotLimits> => ({
  ...(keep === undefined ? {} : { maximumCount: keep }),
  ...(days === undefined ? {} : { maximumAgeDays: days }),
  ...(size === undefined ? {} : { maximumBytes: size * 1_000_000 }),
})

/**
 * Removes checkpoints beyond the limits of `--keep`, `--days` and `--size`, of one folder or with `--all` of each,
 * without asking: `{dryRun, folders: [{root, removed: [id], kept, bytesBefore, bytesAfter, leftovers}]}` as JSON. A dry
 * run removes nothing.
 */
export const runPrune = async (options: PruneOptions, context: Context): Promise<void> => {
  const { terminal } = context
  const dryRun = options.dryRun === true
  const { engine, roots } = await rootsOf(options, context)
  const rows: Row[] = []
  for (const root of roots)
    rows.push({ root, ...(await engine.checkpoints.prune(root, { limits: limitsOf(options), dryRun })) })
  if (options.json === true)
    return context.json({
      dryRun,
      folders: rows.map(({ removed, ...row }) => ({ ...row, removed: removed.map(({ id }) => id) })),
    })
  for (const { root, removed, kept, bytesBefore, bytesAfter, leftovers } of rows)
    await terminal.line(
      `${neutraliseLine(root)}: ${dryRun ? 'would remove' : 'removed'} ${counted(removed.length, 'checkpoint')}, ${kept} kept${dryRun ? `; ${formatBytes(bytesBefore)} now` : `; ${formatBytes(bytesBefore)} → ${formatBytes(bytesAfter)}`}${leftovers === 0 ? '' : `, ${counted(leftovers, 'unfinished file')} of killed processes removed`}`,
    )
  const total = rows.reduce((sum, { removed }) => sum + removed.length, 0)
  await terminal.line(
    terminal.style(
      'bold',
      `Total: ${dryRun ? 'would remove ' : ''}${counted(total, 'checkpoint')}${dryRun ? '' : ' removed'}`,
    ),
  )
}

/**
 * The folder that is meant, or with `--all` every folder with checkpoints that still exists. Rejects with `usage` for
 * `--all` with `--workspace`.
 */
const rootsOf = async (options: PruneOptions, context: Context) => {
  if (options.all !== true) {
    const { engine, root } = await openCheckpointFolder(options, context, true)
    return { engine, roots: [root] }
  }
  if (options.workspace !== undefined)
    throw new CairnError('usage', 'Give --all or --workspace, not both; nothing was removed.')
  const engine = await context.engine(options)
  return { engine, roots: await engine.checkpoints.roots() }
}
