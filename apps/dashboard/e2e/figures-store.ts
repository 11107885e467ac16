/**
 * A store of a made-up team over nine months, in which every figure of the dashboard has something to count: folders that
 * are one project, clocks that change, costs of all lengths, requests without a price, a time or all of their output.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContentBlock, EntryWrite, RequestFact, Store } from '@cairn/core'
import { createCosts } from './figures-costs.ts'
import { random } from './synthetic-usage.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const ZONES = ['UTC', 'America/New_York', 'Asia/Kolkata'] as const
export type Zone = (typeof ZONES)[number]

/** Days before now in which something was done. */
export const DAYS = 270

interface MadeProject {
  /** As usage has it. */
  readonly key: string
  readonly folders: readonly string[]
}

/** A request as filters see it. */
interface MadeRequest {
  readonly at: number | null
  readonly sessionId: string
  readonly project: string
  readonly branch: string
  readonly model: string
  readonly agent: string
}

export interface MadeStore {
  readonly projects: readonly MadeProject[]
  readonly requests: readonly MadeRequest[]
  readonly sessionIds: readonly string[]
}

const AGENTS = ['claude-code', 'codex', 'cline', 'cairn', 'gemini'] as const
const BRANCHES = [
  'main',
  'feat/search',
  'fix/<b>total</b>',
  ...Array.from({ length: 57 }, (_, index) => `task/${1_000 + index * 17}`),
]
const MODES = ['plan', 'act', undefined] as const
const TITLES = ['Mend the total', 'Why is it slow?', 'Search in pages', '<i>Rename</i> states', 'A retry, and its test']

/** Makes a repository with commits on two branches, of which one has more than a page shows. @param now ms */
const makeHistory = (folder: string, now: number): void => {
  const git = (args: readonly string[], at: number): void => {
    const date = new Date(at).toISOString()
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], {
      cwd: folder,
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, GIT_CONFIG_GLOBAL: '/dev/null' },
      stdio: 'ignore',
    })
  }
  git(['init', '-q', '-b', 'main'], now)
  for (let commit = 0; commit < 29; commit += 1) {
    const at = now - DAYS * DAY + (commit + 1) * 8.3 * DAY
    if (commit === 25) git(['checkout', '-q', '-b', 'feat/search'], at)
    git(['commit', '-q', '--allow-empty', '-m', `Step ${commit} <of> all`], at)
  }
}

/** Folders below `code` that are there, and others that only other machines have. @param now ms */
const makeProjects = (code: string, now: number): readonly MadeProject[] => {
  const folder = (name: string): string => {
    const path = join(code, name)
    mkdirSync(path, { recursive: true })
    return path
  }
  const [shop, copy, api, site] = [folder('shop'), folder('shop-copy'), folder('api'), folder('site')]
  for (const clone of [shop, copy]) {
    mkdirSync(join(clone, '.git'))
    writeFileSync(join(clone, '.git', 'config'), '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n')
  }
  makeHistory(api, now)
  for (const [path, month] of [
    [site, 12.5],
    [copy, 90_000],
  ] as const) {
    mkdirSync(join(path, '.cairn'))
    writeFileSync(join(path, '.cairn', 'config.json'), JSON.stringify({ budget: { month } }))
  }
  const elsewhere = ['/home/ann/code/checkout', '/home/bo/<img src=x onerror=alert(1)>', 'C:\\work\\billing']
  return [
    { key: 'github.com/acme/shop', folders: [shop, copy] },
    { key: api, folders: [api] },
    { key: site, folders: [site] },
    ...[...elsewhere, ...Array.from({ length: 8 }, (_, index) => `/srv/build/part-${index}`)].map((path) => ({
      key: path,
      folders: [path],
    })),
  ]
}

/** When the clocks of a zone change between two times, ms: the hours in which its offset is another one than before. */
export const clockChanges = (zone: Zone, from: number, to: number): readonly number[] => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  const offsetAt = (at: number): string => format.format(at).split(', ')[1] ?? ''
  const found: number[] = []
  for (let at = Math.ceil(from / HOUR) * HOUR; at < to; at += HOUR)
    if (offsetAt(at) !== offsetAt(at - HOUR)) found.push(at)
  return found
}

/** The session that is of the first project; the next ones are of the others. */
const EACH_PROJECT_FROM = 100

/**
 * Fills a store with about 150 sessions; the same arguments give the same ones.
 * @param code a new folder, in which the projects of this machine are made
 * @param now ms. In the 40 minutes of each hour that begin with its minute nothing happens: what is compared with a time
 *   that ends now is then the same for all who ask within them.
 */
export const fillFigures = async (store: Store, code: string, seed: number, now: number): Promise<MadeStore> => {
  const next = random(seed)
  const below = (count: number): number => Math.floor(next() * count)
  const pick = <T>(items: readonly T[], bias = 1): T => items[Math.floor(next() ** bias * items.length)] as T
  const projects = makeProjects(code, now)
  const costs = createCosts(next)
  const edges = clockChanges('America/New_York', now - DAYS * DAY, now)
  const requests: MadeRequest[] = []
  const sessionIds: string[] = []
  const calls: { readonly agent: string; readonly fact: RequestFact }[] = []

  const quiet = (at: number): number => {
    const past = (((at - now + 2 * MINUTE) % HOUR) + HOUR) % HOUR
    return past < 42 * MINUTE ? at + 42 * MINUTE - past + below(14 * MINUTE) : at
  }
  /** The next thing that is done, so long after another, but not after now. */
  const after = (at: number, ms: number): number => {
    const later = quiet(at + ms)
    return at > now || later < now ? later : Math.max(at, now - 3 * MINUTE)
  }
  const beginning = (index: number): number => {
    if (index < 6) return now - 20 * MINUTE - below(5 * HOUR)
    const kind = next()
    if (kind < 0.12) return pick(edges) - 5 * HOUR + below(9 * HOUR)
    // Around the beginnings of days in each zone.
    if (kind < 0.3)
      return Math.floor(now / DAY - below(DAYS)) * DAY + pick([0, 4, 5, -5.5]) * HOUR + below(HOUR) - HOUR / 2
    return now - 5 * HOUR - below(DAYS * DAY * next() ** 1.4)
  }

  for (let index = 0; index < 150; index += 1) {
    const agent = pick(AGENTS, 1.6)
    const externalId = `made-${index}`
    const sessionId = `${agent}:${externalId}`
    // Each of them has a session, however rarely it comes up.
    const project = index % 29 === 11 ? undefined : (projects[index - EACH_PROJECT_FROM] ?? pick(projects, 1.8))
    const workspace = project === undefined ? undefined : pick(project.folders)
    const branch = index % 17 === 5 ? undefined : pick(BRANCHES, 4)
    let at = index === 147 ? quiet(now + 3 * DAY) : Math.min(quiet(beginning(index)), now - 3 * MINUTE)
    const writes: EntryWrite[] = []
    let context = 4_000 + below(60_000)
    const write = (entry: EntryWrite['entry'], rest: Omit<EntryWrite, 'entry'> = {}): void => {
      writes.push({ entry, externalId: `e${writes.length}`, ...rest })
    }
    const turns = index === 20 ? 40 : 1 + below(index % 10 === 0 ? 16 : 6)
    for (let turn = 0; turn < turns; turn += 1) {
      // From seconds to days: sessions reach over midnights and ends of months.
      if (turn > 0) at = after(at, 1_000 + Math.floor(10 ** (3.5 + 4.6 * next())))
      const text = `Go on with ${turn}, ${'please '.repeat(below(30))}`
      write({ kind: 'message', id: `u${turn}`, at, role: 'user', content: [{ type: 'text', text }] })
      if (turn > 2 && next() < 0.07) {
        write({ kind: 'compaction', at, trigger: 'auto', tokensBefore: context })
        context = 5_000 + below(9_000)
      }
      for (let step = 0; step < 1 + below(index === 20 ? 11 : 5); step += 1) {
        const id = `${index}-${turn}-${step}`
        at = after(at, 900 + below(40_000))
        const isTimeless = index % 31 === 7 && turn === 0
        const isSubagent = step > 1 && next() < 0.3
        // Some work in another folder of theirs, or on another branch, for a while.
        const elsewhere = project !== undefined && next() < 0.06 ? pick(project.folders) : undefined
        const otherBranch = branch !== undefined && next() < 0.05 ? pick(BRANCHES, 2) : undefined
        const read = next() < 0.6 ? `src/part-${below(4)}.ts` : undefined
        const content: ContentBlock[] = [{ type: 'text', text: 'I look at it. '.repeat(1 + below(40)) }]
        if (read !== undefined)
          content.push({ type: 'tool_call', id: `t${id}`, name: 'Read', input: { file_path: read } })
        const { fact, visibleCharacters } = costs(agent, context)
        const mode = pick(MODES)
        const whole: RequestFact = {
          callId: id,
          at: isTimeless ? null : at,
          ...fact,
          ...(mode === undefined ? {} : { mode }),
          ...(isSubagent ? { subagent: `look-${turn % 3}` } : {}),
          ...(elsewhere === undefined ? {} : { workspace: elsewhere }),
          ...(otherBranch === undefined ? {} : { branch: otherBranch }),
        }
        // Forks repeat what their parent was billed.
        const parent = index > 40 && next() < 0.03 ? pick(calls.filter((call) => call.agent === agent)) : undefined
        const request = parent?.fact ?? whole
        if (parent === undefined) {
          calls.push({ agent, fact: whole })
          requests.push({
            at: whole.at,
            sessionId,
            project: project?.key ?? 'unknown',
            branch: otherBranch ?? branch ?? 'unknown',
            model: whole.model,
            agent,
          })
        }
        write(
          {
            kind: 'message',
            id: `a${id}`,
            at: isTimeless ? null : at,
            role: 'assistant',
            content,
            model: whole.model,
            ...(isSubagent ? { subagent: `look-${turn % 3}` } : {}),
          },
          { request, visibleCharacters },
        )
        context += below(5_000)
        if (read !== undefined) {
          const lines = Array.from(
            { length: 1 + below(120) },
            (_, line) => `${line + 1}→export const line${line} = ${line}`,
          )
          const result: ContentBlock = {
            type: 'tool_result',
            callId: `t${id}`,
            content: [{ type: 'text', text: lines.join('\n') }],
            isError: next() < 0.08,
          }
          write({
            kind: 'message',
            id: `r${id}`,
            at: isTimeless ? null : at,
            role: 'tool',
            content: [result],
            ...(isSubagent ? { subagent: `look-${turn % 3}` } : {}),
          })
        }
      }
    }
    const result = await store.sessions.append(
      {
        id: sessionId,
        agent,
        externalId,
        ...(workspace === undefined ? {} : { workspace }),
        ...(branch === undefined ? {} : { branch }),
        ...(index % 13 === 4 ? {} : { title: pick(TITLES) }),
      },
      0,
      writes,
    )
    if (!result.ok) throw new Error(`${sessionId} is there already`)
    sessionIds.push(sessionId)
    if (next() < 0.15)
      await store.usage.addFailure(sessionId, {
        id: 'f',
        at,
        model: 'gpt-5.1',
        code: 'rate-limit',
        attempt: 1,
        totalMs: below(9_000),
      })
  }
  return { projects, requests, sessionIds }
}
