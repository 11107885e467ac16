/** `cairn doctor`: where everything is, and whether the store is intact. Read-only unless told to rebuild or repair. */
import { replicaLagText } from '@cairn/core'
import type {
  BackupSummary,
  CheckpointsCheck,
  CleanUpReport,
  Engine,
  HealthReport,
  ReplicaLag,
  StoreFault,
  StoreStatistics,
  TableSize,
} from '@cairn/core'
import type { AgentCheck } from '@cairn/core/node/setup'
import type { RepairReport } from '@cairn/storage-prisma/backups'
import type { CommonOptions, Context, Define } from '../command.ts'
import { checkedAgents, setupSentences } from '../setup/setup-checks.ts'
import { storeFile } from '../options/store-file.ts'
import { repairText } from '../output/repair-text.ts'
import { storedKeys, storePages, transcriptFolders } from '../runtime/doctor-facts.ts'
import type { StoredKeys, TranscriptFolder } from '../runtime/doctor-facts.ts'
import { usableStore } from '../config/settings.ts'
import type { Origin, Settings } from '../config/settings.ts'
import { readTroubles } from '../hooks/hook-log.ts'
import type { LoggedTrouble } from '../hooks/hook-log.ts'
import { backupTexts } from '../output/latest-backup-text.ts'
import { checkpointTexts, damagedCheckpointTexts, hasDamagedCheckpoints } from '../output/checkpoint-check-text.ts'
import { cleanedText, healthTexts } from '../output/health-text.ts'
import { skipText } from '../output/skip-text.ts'
import type { SkipRow } from '../output/skip-text.ts'
import { storeName } from '../output/store-name.ts'
import { counted, formatBytes, formatShare, formatTime } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapAfter } from '../terminal/wrap.ts'

interface DoctorOptions extends CommonOptions {
  readonly rebuild?: boolean
  readonly repair?: boolean
}

const HELP = `
Exit code 1 if a problem was found.

Examples:
  cairn doctor
  cairn doctor --json
  cairn doctor --rebuild       rebuild rollups and search index from the log,
                               price requests that had no known price, and set
                               damaged memory entries and notes aside
  cairn doctor --repair        copy what is readable of a damaged store into a
                               new one, the rest from the newest backup; the
                               same for checkpoints. The damaged files are kept`

/** Declares `cairn doctor`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('Show where everything is, and check that the store is healthy.')
    .option('--rebuild', 'rebuild derived tables first')
    .option('--repair', 'repair a damaged store and damaged checkpoints first')
    .addHelpText('after', HELP)
    .action((options: DoctorOptions) => runDoctor(options, context))
}

/** What the doctor found, which is the document of `--json`. */
interface Findings {
  readonly node: string
  readonly platform: string
  readonly store: StoreStatistics & {
    readonly address: string
    readonly pages: number | null
    readonly compressionRatio: number | null
  }
  readonly agents: readonly TranscriptFolder[]
  /** Agents that are found, and whether Cairn is wired to them. */
  readonly setup: readonly AgentCheck[]
  readonly skipped: readonly SkipRow[]
  /** Trouble that agents' hooks had: how often, and the last of it. */
  readonly hooks: { readonly log: string; readonly count: number; readonly last: readonly LoggedTrouble[] }
  readonly settings: readonly { readonly key: string; readonly origin: Origin }[]
  /** Keys of providers: where each is kept. */
  readonly keys: StoredKeys
  /** What `--repair` did; null where nothing had to be done. */
  readonly repair: RepairReport | null
  /** Of the last day. */
  readonly health: HealthReport
  /** How far the store's server is behind the one that it copies; null where it is no replica. */
  readonly replica: ReplicaLag | null
  /** Null for a store on PostgreSQL. */
  readonly backups: BackupSummary | null
  /** What each takes on disk with its indexes, the largest first. */
  readonly tables: readonly TableSize[]
  /** The last clean-up; null when there was none. */
  readonly cleanup: CleanUpReport | null
  readonly rebuilt: boolean
  /** Requests that had no price and have one now. */
  readonly priced: number
  readonly faults: readonly StoreFault[]
  readonly checkpoints: CheckpointsCheck
}

const SKIPS_SHOWN = 50
const TROUBLES_SHOWN = 5
/** Columns for the names of facts. */
const NAME_WIDTH = 12

/**
 * Repairs store and checkpoints (`--repair`) or rebuilds the derived tables and prices requests that had no price
 * (`--rebuild`), checks the store, and prints the findings. Exit code 1 for faults of the store, damaged checkpoints or
 * provider keys that can't be used; not for errors of hooks or skipped input.
 */
const runDoctor = async (options: DoctorOptions, context: Context): Promise<void> => {
  const settings = await context.settings(options)
  const repair = options.repair === true ? await repairDamaged(options, context) : null
  const engine = await openedEngine(options, context)
  const { store } = engine
  const rebuild = options.rebuild === true
  if (rebuild) {
    notice(context, 'Rebuilding derived tables …')
    await store.rebuild()
  }
  // A model without a price at import may have one by now, for example in the user's settings.
  const priced = rebuild ? (await engine.usage.reprice()).priced : 0
  notice(context, 'Checking the store …')
  const { faults, isMended } = await remainingFaults(store, options)
  const statistics = await store.statistics()
  const checkpoints = await engine.checkpoints.verify({ repair: options.repair === true })
  const { sourceBytes, totalBytes } = statistics
  const findings: Findings = {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    store: {
      ...statistics,
      address: storeName(settings.store.value),
      pages: storePages(settings.store.value),
      compressionRatio: sourceBytes === 0 ? null : totalBytes / sourceBytes,
    },
    agents: await transcriptFolders(context.surroundings),
    setup: checkedAgents(context.surroundings),
    skipped: await store.imports.skips(),
    hooks: hookFindings(context),
    settings: settingOrigins(settings),
    keys: await storedKeys(context),
    repair,
    health: await engine.health.report(),
    replica: await store.health.replicaLag(),
    backups: await storeBackups(options, context),
    tables: await store.health.tableSizes(),
    cleanup: (await engine.cleanUp.last()) ?? null,
    rebuilt: rebuild || isMended,
    priced,
    faults,
    checkpoints,
  }
  if (faults.length > 0 || findings.keys.problem !== null || hasDamagedCheckpoints(checkpoints)) context.setExitCode(1)
  if (options.json === true) return context.json(findings)
  await show(findings, context)
}

/**
 * Returns the backups of the store; null for one on PostgreSQL. Rejects with `usage` for a store that the user does not
 * trust.
 */
const storeBackups = async (options: DoctorOptions, context: Context): Promise<BackupSummary | null> => {
  const address = usableStore(await context.settings(options))
  const { backupsAt } = await import('@cairn/storage-prisma/backups')
  return backupsAt(address, context.surroundings.folder, context.now())
}

/** Whether a fault is in tables that can be rebuilt from the log. */
const isDerived = ({ check }: StoreFault): boolean => check === 'usage' || check === 'search'

/**
 * What is wrong with the store. With `--repair`, if only derived tables are wrong, they are rebuilt and checked again;
 * `isMended` says that they were rebuilt, not that no fault is left.
 */
const remainingFaults = async (
  store: Engine['store'],
  { repair }: DoctorOptions,
): Promise<{ readonly faults: readonly StoreFault[]; readonly isMended: boolean }> => {
  const faults = await store.verify()
  if (repair !== true || faults.length === 0 || !faults.every(isDerived)) return { faults, isMended: false }
  await store.rebuild()
  return { faults: await store.verify(), isMended: true }
}

/**
 * Repairs a damaged store, and says what was done; null if it is healthy. Rejects with `unsupported` for one on
 * PostgreSQL, with `usage` under `--incognito`.
 */
const repairDamaged = async (options: DoctorOptions, context: Context): Promise<RepairReport | null> => {
  const store = await storeFile(options, context, 'repaired')
  const { repairStore } = await import('@cairn/storage-prisma/backups')
  notice(context, 'Reading what can be read …')
  return (await repairStore(store)) ?? null
}

/** Opens the store. If that fails, it rejects, but first says on standard error how many errors the hooks' log has. */
const openedEngine = async (options: DoctorOptions, context: Context): Promise<Engine> => {
  try {
    return await context.readEngine(options)
  } catch (error) {
    const { count, log } = hookFindings(context)
    if (count > 0 && options.json !== true)
      context.terminal.note(`Hooks of agents had trouble ${timesText(count)}; see ${log}.`)
    throw error
  }
}

/** "once", "2 times". */
const timesText = (count: number): string => (count === 1 ? 'once' : `${count} times`)

/** Prints what is being done, on a terminal only. */
const notice = ({ terminal }: Context, text: string): void => {
  if (terminal.isErrorTerminal) terminal.note(text)
}

/** Returns how many errors the hooks' log has, and the last five, oldest first. */
const hookFindings = ({ surroundings }: Context): Findings['hooks'] => {
  const { path, troubles } = readTroubles(surroundings)
  return { log: path, count: troubles.length, last: troubles.slice(-TROUBLES_SHOWN) }
}

/** Where each setting comes from, without its value. */
const settingOrigins = (settings: Settings): Findings['settings'] =>
  Object.entries(settings).map(([key, { origin }]: [string, { readonly origin: Origin }]) => ({ key, origin }))

/** Prints a text in lines of the terminal's width; `first` precedes it, shown as `shownFirst`. */
type Say = (text: string, first?: string, shownFirst?: string) => Promise<void>

/** Returns a function that prints a wrapped text behind `first`, which it may show as `shownFirst` (with colours). */
const createSay =
  (terminal: Terminal): Say =>
  async (text, first = '', shownFirst = first) => {
    for (const [index, line] of wrapAfter(first, text, terminal.width).entries())
      await terminal.line(index === 0 ? shownFirst + line.slice(first.length) : line)
  }

/** Prints the findings for people, the verdict last. Sections without findings are left out. */
const show = async (findings: Findings, { terminal }: Context): Promise<void> => {
  const say = createSay(terminal)
  const fact = (name: string, text: string): Promise<void> =>
    say(text, name.padEnd(NAME_WIDTH), terminal.style('dim', name.padEnd(NAME_WIDTH)))
  await showStore(findings, fact)
  await showKeys(findings.keys, fact)
  for (const [index, text] of healthTexts(findings.health).entries()) await fact(index === 0 ? 'Health' : '', text)
  if (findings.replica !== null) await fact('Replica', replicaLagText(findings.replica))
  for (const [index, text] of backupTexts(findings.backups).entries()) await fact(index === 0 ? 'Backup' : '', text)
  await fact('Cleaned up', cleanedText(findings.cleanup))
  for (const [index, text] of checkpointTexts(findings.checkpoints, findings.store.pages !== null).entries())
    await fact(index === 0 ? 'Checkpoints' : '', text)
  await terminal.line()
  await showTranscriptFolders(findings.agents, fact, say)
  if (findings.setup.length > 0) {
    await terminal.line()
    for (const { name, sentence } of setupSentences(findings.setup)) await fact(name, sentence)
  }
  if (findings.skipped.length > 0) await showSkipped(findings.skipped, say, terminal)
  if (findings.hooks.count > 0) await showTroubles(findings.hooks, say, terminal)
  await terminal.line()
  await showVerdict(findings, say, terminal)
}

/** Prints a name and a fact about it; an empty name continues the previous one. */
type ShowFact = (name: string, text: string) => Promise<void>

/** Prints the versions, the store with its size and counts, and settings that are not defaults. */
const showStore = async ({ node, platform, store, settings }: Findings, fact: ShowFact): Promise<void> => {
  await fact('Node', `${node} on ${platform}`)
  await fact('Store', store.location)
  await fact(
    '',
    `${formatBytes(store.totalBytes)}${store.pages === null ? '' : ` in ${counted(store.pages, 'page')}`}${store.compressionRatio === null ? '' : `, ${formatShare(store.compressionRatio)} of what was read (${formatBytes(store.sourceBytes)})`}`,
  )
  await fact(
    '',
    `${counted(store.sessions, 'session')}, ${counted(store.entries, 'log entry')}, ${counted(store.requests, 'request')}, ${counted(store.importedFiles, 'imported file')}, ${counted(store.blocks, 'shared block')}`,
  )
  if (store.redactions > 0) await fact('', `${counted(store.redactions, 'secret')} replaced before anything was stored`)
  for (const { key, origin } of settings)
    if (origin.from !== 'default') await fact('Setting', `${key} from ${originText(origin)}`)
}

/**
 * Prints the names of the provider keys that are stored, and where, never the keys. What is wrong with them is printed
 * as well, not instead. Prints nothing where there are no keys and no problem.
 */
const showKeys = async ({ file, kept, problem }: StoredKeys, fact: ShowFact): Promise<void> => {
  const inKeyring = kept.filter(({ keptIn }) => keptIn === 'keyring').map(({ name }) => neutraliseLine(name))
  const inFile = kept.filter(({ keptIn }) => keptIn === 'file').map(({ name }) => neutraliseLine(name))
  if (inKeyring.length > 0) await fact('Keys', `${inKeyring.join(', ')} in the system's keyring`)
  if (inFile.length > 0) await fact('Keys', `${inFile.join(', ')} in ${file}`)
  if (problem !== null) await fact('Keys', problem)
}

/** The file, variable or flag that a setting comes from. */
const originText = (origin: Exclude<Origin, { readonly from: 'default' }>): string =>
  'file' in origin ? origin.file : origin.from === 'environment' ? origin.name : 'the command line'

/** Prints the folders that exist, with their number of transcripts, and in one sentence the agents without one. */
const showTranscriptFolders = async (folders: readonly TranscriptFolder[], fact: ShowFact, say: Say): Promise<void> => {
  const found = folders.filter(({ files }) => files !== null)
  for (const { agent, path, files } of found) await fact(agent, `${path} (${counted(files ?? 0, 'transcript')})`)
  const missing = [...new Set(folders.map(({ agent }) => agent))].filter(
    (agent) => !found.some((folder) => folder.agent === agent),
  )
  if (missing.length > 0) await say(`No histories of ${missing.join(', ')} (--json names the folders).`)
}

/** Prints what imports have left out so far, at most `SKIPS_SHOWN`, and how many more. */
const showSkipped = async (skipped: readonly SkipRow[], say: Say, terminal: Terminal): Promise<void> => {
  await terminal.line()
  await terminal.line('Left out of imports so far:')
  for (const skip of skipped.slice(0, SKIPS_SHOWN)) await say(skipText(skip), '  ')
  if (skipped.length > SKIPS_SHOWN)
    await terminal.line(`  … and ${skipped.length - SKIPS_SHOWN} more (--json names all)`)
}

/**
 * Prints what was repaired and rebuilt (nothing where nothing was), then damaged checkpoints, then that the store is
 * healthy, or its faults and what to do about them.
 */
const showVerdict = async (
  { repair, rebuilt, priced, faults, checkpoints }: Findings,
  say: Say,
  terminal: Terminal,
): Promise<void> => {
  if (repair !== null) await say(repairText(repair))
  if (rebuilt)
    await say(
      `Derived tables were rebuilt.${priced > 0 ? ` ${counted(priced, 'request')} without a price got one.` : ''}`,
    )
  for (const text of damagedCheckpointTexts(checkpoints))
    await say(text, 'checkpoints: ', `${terminal.style('red', 'checkpoints')}: `)
  if (faults.length === 0)
    return terminal.line(`${terminal.style('green', 'Sound.')} Log, content, usage and search index agree.`)
  for (const { check, detail, count } of faults)
    await say(`${neutraliseLine(detail)} (${count})`, `${check}: `, `${terminal.style('red', check)}: `)
  await say(adviceOn(faults, rebuilt))
}

/** Prints the last errors of agents' hooks, each with its time. */
const showTroubles = async ({ log, count, last }: Findings['hooks'], say: Say, terminal: Terminal): Promise<void> => {
  await terminal.line()
  await say(`Hooks of agents had trouble ${timesText(count)}; the last of it, from ${log}:`)
  for (const { at, hook, message } of last) await say(neutraliseLine(`${hook}: ${message}`), `  ${formatTime(at)}  `)
}

/**
 * What to do about faults: derived tables can be rebuilt from the log, which itself is never changed. Once they were
 * rebuilt, only a repair is left.
 */
const adviceOn = (faults: readonly StoreFault[], wasRebuilt: boolean): string => {
  const derived = faults.every(isDerived)
  if (derived && !wasRebuilt) return 'All of this is derived from the log: cairn doctor --rebuild rebuilds it.'
  return 'cairn doctor --repair takes what can be read into a new file, with the newest backup for the rest, and keeps this one. What can be read can be exported: cairn session export <id> --format json. Please report this.'
}
