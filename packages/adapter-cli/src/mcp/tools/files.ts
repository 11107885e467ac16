/**
 * `files`: what is known about a file, symbol, commit or entry: the sessions that touched it, what was learnt, what
 * changed with it.
 */
import { parseTime } from '@cairn/core'
import type { GraphLink } from '@cairn/core'
import { z } from 'zod'
import { counted } from '../../terminal/format.ts'
import { EVERYWHERE } from '../projects.ts'
import { fitting, shortLine, timeText } from '../quoted.ts'
import { SINCE, UNTIL, defineTool } from '../tool.ts'

const DESCRIPTION = `What is known about a file before you change it: which sessions read or edited it and when, which messages and memory entries speak of it, which commits changed it, which files are edited together with it. With since: what changed since then. Besides a path: symbol:<name>, commit:<hash>, session:<id>, entry:<id>.`

const KINDS = ['file', 'symbol', 'session', 'message', 'entry', 'commit'] as const
const HAS_KIND = /^(?:file|symbol|session|message|entry|commit):/
const LABEL_SHOWN = 160

/** The tool `files`: sessions, messages and memory entries that are linked with a file. */
export const files = defineTool({
  name: 'files',
  title: 'What is known about a file',
  description: DESCRIPTION,
  hints: { readOnlyHint: true },
  input: z.strictObject({
    path: z
      .string()
      .min(1)
      .max(4096)
      .describe('The path, or the end of it (auth/login.ts); or symbol:…, commit:…, session:…, entry:….'),
    kinds: z.array(z.enum(KINDS)).max(KINDS.length).optional().describe('Only links to these.'),
    workspace: z.string().min(1).max(4096).optional().describe('Project folder or name; "*" for all. Default: all.'),
    since: SINCE,
    until: UNTIL,
    limit: z.int().min(1).max(50).default(15),
  }),
  /** The tool `files`: what is known of a file, newest first, as far as it fits. */
  run: async ({ path, kinds, workspace, since, until, limit }, { engine, filterProject, now, timeZone }) => {
    const project = workspace === undefined || workspace === EVERYWHERE ? undefined : await filterProject(workspace)
    const { node, links, left } = await engine.graph.about(HAS_KIND.test(path) ? path : `file:${path}`, {
      limit,
      ...(project === undefined ? {} : { workspace: project }),
      ...(kinds === undefined || kinds.length === 0 ? {} : { kinds }),
      ...(since === undefined ? {} : { since: parseTime(since, timeZone, 'since', now) }),
      ...(until === undefined ? {} : { until: parseTime(until, timeZone, 'until', now) }),
    })
    const rows = [`${node.kind} ${shortLine(node.label, LABEL_SHOWN)}`, ...links.map(lineOf)]
    const shown = fitting(rows)
    const missing = left + rows.length - shown
    return {
      head: `${counted(links.length, 'link')}, newest first. Open messages with get_message, sessions with get_session.`,
      body: rows.slice(0, shown).join('\n'),
      tail:
        missing === 0
          ? ''
          : `${counted(missing, 'more link')} left out: ${left > 0 ? 'raise limit, or ask' : 'ask'} for fewer kinds.`,
    }
  },
})

/** Returns a link on one line: relation, kind, id, label, how often and when. */
const lineOf = ({ relation, node, count, firstAt, lastAt }: GraphLink): string => {
  const label = node.label === node.id ? '' : ` · ${shortLine(node.label, LABEL_SHOWN)}`
  return `- ${relation} · ${node.kind} ${shortLine(node.id, LABEL_SHOWN)}${label} · ${counted(count, 'time')} · ${count > 1 ? `${timeText(firstAt)} to ` : ''}${timeText(lastAt)}`
}
