/** `cairn memory` from and to files and standard input, as processes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMemorySandbox } from '../testing/memory-sandbox.ts'
import type { Entry } from '../testing/memory-sandbox.ts'

const { box, memory, json, list, importSession } = createMemorySandbox()
const BIN = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))

beforeAll(importSession)

afterAll(() => box.remove())

/** Runs `cairn memory` with a text on standard input. */
const withInput = (input: string | Buffer, ...args: readonly string[]) =>
  spawnSync(process.execPath, [BIN, 'memory', ...args], {
    cwd: box.folder,
    env: { PATH: process.env['PATH'], HOME: box.folder, CAIRN_HOME: `${box.folder}/data`, TZ: 'UTC' },
    input,
    encoding: 'utf8',
  })

describe('texts from standard input', () => {
  it('are read for "-" by add and update', async () => {
    const own = ['--store', 'file:stdin.db', '--json']
    const { entry } = JSON.parse(withInput('From a pipe\n', 'add', 'discovery', '-', ...own).stdout) as {
      readonly entry: Entry
    }
    expect(entry.text).toBe('From a pipe')
    expect(JSON.parse(withInput('Changed in a pipe', 'update', entry.id, '--text', '-', ...own).stdout)).toMatchObject({
      entry: { text: 'Changed in a pipe' },
      redactions: 0,
    })
    expect(withInput('', 'add', 'discovery', '-', '--store', 'file:stdin.db')).toMatchObject({
      status: 2,
      stderr: 'Standard input was empty; nothing was written.\n',
    })
    expect(withInput(Buffer.from([0x61, 0xff]), 'add', 'discovery', '-', '--store', 'file:stdin.db')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/is not UTF-8 text; nothing was written/),
    })
  })
})

describe('memory export and import', () => {
  it('writes a file that another store imports, each entry once', async () => {
    const { file, bytes } = (await json('export', '--to', 'shared.md')) as {
      readonly file: string
      readonly bytes: number
    }
    const text = readFileSync(join(box.folder, 'shared.md'), 'utf8')
    expect({ file: file.endsWith('shared.md'), bytes }).toEqual({ file: true, bytes: Buffer.byteLength(text) })
    expect(await json('export')).toMatchObject({ text })
    const other = ['--store', 'file:other.db']
    const count = (await list()).length
    expect(await box.json('memory', 'import', 'shared.md', ...other)).toMatchObject({
      added: count,
      updated: 0,
      unchanged: 0,
      notes: 0,
      skipped: [],
    })
    expect(await box.json('memory', 'import', 'shared.md', ...other)).toMatchObject({
      added: 0,
      updated: 0,
      unchanged: count,
    })
    expect((await box.cairn('memory', 'export', ...other)).stdout).toBe(text)
  })

  it('replaces a former export, and no other file', async () => {
    expect((await memory('export', '--to', 'shared.md')).code).toBe(0)
    box.file('README.md', '# A project\n')
    const { code, stderr } = await memory('export', '--to', 'README.md')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'README.md is not an export of the memory and was left as it is; name another file.\n',
    })
    expect(readFileSync(join(box.folder, 'README.md'), 'utf8')).toBe('# A project\n')
  })

  it('makes missing folders inside the project only', async () => {
    expect((await memory('export', '--to', '.cairn/deep/memory.md')).code).toBe(0)
    expect(readFileSync(join(box.folder, '.cairn/deep/memory.md'), 'utf8')).toContain('- discovery: ')
    expect((await memory('export', '--to', '../nowhere-at-all/x.md')).stderr).toBe(
      "../nowhere-at-all/x.md can't be written: there is no such folder.\n",
    )
    mkdirSync(join(box.folder, 'inner'), { recursive: true })
    symlinkSync(tmpdir(), join(box.folder, 'inner/out'))
    expect((await memory('export', '--to', 'inner/out/cairn-none/x.md')).code).toBe(1)
    expect(existsSync(join(tmpdir(), 'cairn-none'))).toBe(false)
  })

  it('does not overwrite a file with entries that the store does not have, unless they are merged', async () => {
    const path = box.file('team/memory.md', (await memory('export')).stdout)
    const before = `${readFileSync(path, 'utf8')}- discovery: What a teammate wrote\n`
    box.file('team/memory.md', before)
    const { code, stderr, stdout } = await memory('export', '--to', 'team/memory.md')
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toMatch(
      /^team\/memory\.md holds 1 entry that the store does not have, .*First: cairn memory import team\/memory\.md \(or export with --merge, which does both\)\.\n$/,
    )
    expect(readFileSync(path, 'utf8')).toBe(before)
    expect(JSON.parse((await memory('export', '--to', 'team/memory.md', '--json')).stdout)).toMatchObject({
      error: { code: 'file-conflict' },
    })
    expect((await list()).some(({ text }) => text === 'What a teammate wrote')).toBe(false)
    expect((await memory('export', '--to', 'team/memory.md', '--merge')).stdout).toMatch(
      /^Took in 1 entry of it\. Wrote /,
    )
    expect(readFileSync(path, 'utf8')).toMatch(/- discovery: What a teammate wrote <!-- /)
    expect((await memory('export', '--to', 'team/memory.md')).code).toBe(0)
    const { id } = (await list()).find(({ text }) => text === 'What a teammate wrote') ?? { id: '' }
    await json('forget', id)
    expect((await memory('export', '--to', 'team/memory.md')).code).toBe(0)
    expect(readFileSync(path, 'utf8')).not.toContain('teammate')
  })

  it('does not overwrite a file with lines that are no entries', async () => {
    const path = box.file('team/prose.md', `${(await memory('export')).stdout}- plain text\n`)
    const { code, stderr } = await memory('export', '--to', 'team/prose.md', '--merge')
    expect(code).toBe(3)
    expect(stderr).toMatch(/^team\/prose\.md holds lines that are no entries: .*none of its lines is an entry/)
    expect(readFileSync(path, 'utf8')).toContain('- plain text')
  })

  it('says that both sides of a git conflict were imported, and names items of JSON by their position', async () => {
    box.file('conflict.md', '<<<<<<< HEAD\n- discovery: ours\n=======\n- discovery: theirs\n>>>>>>> b\n')
    const own = ['--store', 'file:conflict.db']
    const { stderr } = await box.cairn('memory', 'import', 'conflict.md', ...own)
    expect(stderr).toBe('Taken: conflict.md:1: the entries of both sides of a conflict that git left\n')
    box.file('ltm.json', JSON.stringify({ patterns: { discoveries: [{ fact: 'a' }, {}] } }))
    expect((await box.cairn('memory', 'import', 'ltm.json', ...own)).stderr).toBe(
      "Left out: ltm.json: discoveries[1] can't be read: it has no text\n",
    )
  })

  it("imports CLIO's folder: its memory, and its memory files as notes", async () => {
    box.file(
      'clio/.clio/ltm.json',
      JSON.stringify({
        version: '1.0',
        patterns: {
          discoveries: [
            { fact: 'Größe is stored as bytes', confidence: 0.9, verified: true, timestamp: 1_760_000_000 },
          ],
          problem_solutions: [],
          code_patterns: [],
          workflows: [],
          failures: [],
          context_rules: {},
        },
      }),
    )
    box.file(
      'clio/.clio/memory/plan.json',
      JSON.stringify({ key: 'plan', content: 'First the store', timestamp: 1_760_000_000 }),
    )
    const own = ['--workspace', 'clio', '--store', 'file:clio.db']
    expect(await box.json('memory', 'import', 'clio/.clio', ...own)).toMatchObject({ added: 1, notes: 1, skipped: [] })
    expect(await box.json('memory', 'import', 'clio', ...own)).toMatchObject({ added: 0, notes: 0 })
    expect(await box.json('note', 'get', 'plan', ...own)).toMatchObject({ note: { text: 'First the store' } })
  })
})
