import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { claudeCodeImporter } from '../importers/claude-code.ts'
import { createFollowedSessions } from './followed-sessions.ts'
import { createHasher } from './hasher.ts'
import { writeClaudeLines } from './telemetry/telemetry.fixture.ts'

describe('followed sessions', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-followed-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const follow = () =>
    createFollowedSessions({
      importer: claudeCodeImporter,
      hasher: createHasher(),
      begin: (): string[] => [],
      take: (taken, _line, requests) => void taken.push(...requests.map(({ callId }) => callId)),
    })

  it('takes each line of a session once, in however many files', async () => {
    const files = Array.from({ length: 60 }, (_, index) =>
      writeClaudeLines(join(folder, `${index}.jsonl`), `r${index}`),
    )
    const session = follow()('transcript')
    await session.readOn(files)
    await session.readOn([join(folder, 'none.jsonl'), ...files])
    expect(session.known).toEqual(files.map((_, index) => `msg_of_r${index}`))
  })

  it('takes a line when it is whole', async () => {
    const path = writeClaudeLines(join(folder, 'one.jsonl'), 'a')
    const session = follow()(path)
    appendFileSync(path, '{"type":"assi')
    await session.readOn([path])
    expect(session.known).toEqual(['msg_of_a'])
    appendFileSync(path, 'stant"}\n')
    await session.readOn([path])
    expect(session.known).toEqual(['msg_of_a'])
  })

  it('forgets the session that was not asked for longest', async () => {
    const path = writeClaudeLines(join(folder, 'one.jsonl'), 'a')
    const sessionOf = follow()
    await sessionOf('first').readOn([path])
    await sessionOf('second').readOn([path])
    for (let index = 0; index < 48; index += 1) sessionOf(`other ${index}`)
    sessionOf('first')
    sessionOf('one more')
    expect([sessionOf('first').known, sessionOf('second').known]).toEqual([['msg_of_a'], []])
  })
})
