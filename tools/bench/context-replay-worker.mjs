// A process that replays sessions under policies for its parent (context-replays.mjs): a file at a time, all settings of
// it one after the other. Runs on the sources, so that nothing has to be built.
import {
  cacheAwarePolicy,
  clinePolicy,
  clioPolicy,
  needsOf,
  policyOf,
  replayPolicy,
  replyReserve,
  trajectoryOf,
} from '@cairn/core'
import { readTranscript } from '@cairn/core/importers'
import { createFileSystem, createHasher } from '@cairn/core/node'

const CHARACTERS_PER_TOKEN = 2.7

const policies = {
  none: () => policyOf('none'),
  cline: (options) => clinePolicy(options),
  clio: (options) => clioPolicy(options),
  'cache-aware': ({ preset, ...changes }) => cacheAwarePolicy(preset, changes),
}

process.on('message', async ({ file, runs }) => {
  const transcript = await readTranscript(file, { fileSystem: createFileSystem(), hasher: createHasher() })
  const { entries, lines, requests } = transcript.sessions[0]
  const trajectory = trajectoryOf({ session: file, entries, lines, requests, charactersPerToken: CHARACTERS_PER_TOKEN })
  const needs = needsOf(trajectory)
  const rows = runs.map(({ label, policy, options, window, prefix, cacheLifetime, prices }) => {
    const reply = replyReserve({ window, prefix })
    const replayed = replayPolicy(policies[policy](options ?? {}), trajectory, needs, {
      window,
      prefix,
      cacheLifetime,
      prices,
      reply,
      charactersPerToken: CHARACTERS_PER_TOKEN,
    })
    return { ...replayed, label, policy, options, file }
  })
  process.send(rows)
})
