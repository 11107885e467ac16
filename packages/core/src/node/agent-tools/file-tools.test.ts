import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileActivity } from '../../file-activity/file-activity.ts'
import type { LogEntry } from '../../session-log.ts'
import { makeWorkspace, textOf, toolsOf, type Tools, type Workspace } from './tools.fixture.ts'

let workspace: Workspace
let tools: Tools
beforeEach(() => {
  workspace = makeWorkspace()
  tools = toolsOf(workspace)
})
afterEach(() => workspace.remove())

describe('read_file', () => {
  it('gives lines with numbers, a range, and says how to go on', async () => {
    workspace.put('a.ts', 'one\r\ntwo\r\nthree\r\n')
    expect(await tools.text('read_file', { path: 'a.ts' })).toBe('1\tone\n2\ttwo\n3\tthree')
    expect(await tools.text('read_file', { path: './a.ts', start_line: 2, end_line: 2 })).toBe(
      '2\ttwo\n(Lines 2 to 2 of 3.)',
    )
    expect(await tools.text('read_file', { path: 'a.ts', start_line: 7 })).toContain('has 3 lines')
    workspace.put('long.txt', Array.from({ length: 5_000 }, (_, at) => `line ${at + 1}`).join('\n'))
    const text = await tools.text('read_file', { path: 'long.txt' })
    expect(text).toMatch(/\n2000\tline 2000\n\(Lines 1 to 2000 of 5000; go on with start_line 2001\.\)$/)
    expect(await tools.text('read_file', { path: 'long.txt', start_line: 4_999 })).toBe(
      '4999\tline 4999\n5000\tline 5000\n(Lines 4999 to 5000 of 5000.)',
    )
  })

  it('is capped at 50 kB, and a line at 2,000 characters', async () => {
    workspace.put('wide.txt', `${'ä'.repeat(1_000)}\n`.repeat(100))
    const text = await tools.text('read_file', { path: 'wide.txt' })
    expect(Buffer.byteLength(text)).toBeLessThan(50_200)
    expect(text).toContain('Lines 1 to 24 of 100; go on with start_line 25.')
    workspace.put('line.txt', 'x'.repeat(10_000))
    const line = await tools.text('read_file', { path: 'line.txt' })
    expect(line).toContain('(8000 more characters in this line)')
    expect(line.length).toBeLessThan(2_300)
  })

  it('gives images as such, unless they are too large', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    workspace.put('dot.png', png)
    const { content } = await tools.run('read_file', { path: 'dot.png' })
    expect(content).toEqual([
      { type: 'text', text: 'dot.png (image/png, 1 × 1 pixels):' },
      { type: 'image', mediaType: 'image/png', data: png.toString('base64') },
    ])
    const wide = Buffer.from(png)
    wide.writeUInt32BE(9_000, 16)
    workspace.put('wide.png', wide)
    expect(await tools.text('read_file', { path: 'wide.png' })).toContain('9000 × 1 pixels')
    workspace.put('heavy.png', Buffer.concat([png, Buffer.alloc(4_000_000)]))
    expect(await tools.text('read_file', { path: 'heavy.png' })).toContain('4.0 MB')
    // By what they hold, not by what they are called.
    for (const name of ['dot.txt', 'dot.jpg', 'dot']) {
      workspace.put(name, png)
      expect((await tools.run('read_file', { path: name })).content).toEqual([
        { type: 'text', text: `${name} (image/png, 1 × 1 pixels):` },
        { type: 'image', mediaType: 'image/png', data: png.toString('base64') },
      ])
    }
    workspace.put('about.txt', 'GIF89a is a format of 1989')
    expect(await tools.text('read_file', { path: 'about.txt' })).toBe('1\tGIF89a is a format of 1989')
    workspace.put('log.png', 'a line of text\n'.repeat(270_000))
    expect(await tools.text('read_file', { path: 'log.png', start_line: 1, end_line: 1 })).toContain(
      '1\ta line of text\n',
    )
    workspace.put('not.png', 'just text')
    expect(await tools.text('read_file', { path: 'not.png' })).toBe('1\tjust text')
  })

  it.each([
    ['a folder', 'src', 'src is a folder; list_files shows what is in it.'],
    ['a pipe', 'pipe', 'pipe is no regular file but a pipe, a socket or a device.'],
    ['a binary', 'a.bin', 'a.bin is binary (5 bytes).'],
    ['UTF-16', 'wide.txt', 'wide.txt is UTF-16 text; convert it to UTF-8 with a command first.'],
    ['what is not there', 'none.ts', 'none.ts is not there.'],
    [
      'a huge file',
      'huge.txt',
      'huge.txt has 2200 MB, which is more than the 64 MB that are read; search it, or take parts of it with a command.',
    ],
    ['an empty path', ' ', 'The path is empty; “.” is the workspace.'],
    ['a zero byte', 'a\0b', 'The path "a\\u0000b" holds a zero byte, which no path has.'],
    [
      'a path of Windows',
      'C:\\work\\a.ts',
      'The path "C:\\\\work\\\\a.ts" is one of Windows; this system has “/” between names.',
    ],
    ['backslashes', 'src\\a.ts', 'The path "src\\\\a.ts" is one of Windows; this system has “/” between names.'],
    ['a home folder', '~/a.ts', 'The path "~/a.ts" begins with “~”, which is not expanded; give it in full.'],
    ['too long a name', 'x'.repeat(300), `${'x'.repeat(300)} can’t be read: its name is too long.`],
    ['a ring of links', 'ring', 'ring is a link that leads nowhere.'],
  ])('says in one sentence that it can’t read %s', async (_name, path, message) => {
    mkdirSync(join(workspace.work, 'src'))
    spawnSync('mkfifo', [join(workspace.work, 'pipe')])
    workspace.put('a.bin', 'ab\0cd')
    workspace.put('wide.txt', Buffer.from('\uFEFFab', 'utf16le'))
    workspace.put('huge.txt', '')
    truncateSync(join(workspace.work, 'huge.txt'), 2_200_000_000)
    symlinkSync('ring', join(workspace.work, 'ring'))
    const outcome = await tools.run('read_file', { path })
    expect([outcome.isError, textOf(outcome)]).toEqual([true, message])
  })

  it('shows text that is not UTF-8, which no edit then takes', async () => {
    workspace.put('latin.txt', Buffer.from('caf\xe9 one', 'latin1'))
    expect(await tools.text('read_file', { path: 'latin.txt' })).toMatch(/^1\tcaf\uFFFD one\n\(Not UTF-8/)
    expect(await tools.text('edit_file', { path: 'latin.txt', edits: [{ old_text: 'one', new_text: 'two' }] })).toBe(
      'latin.txt is not UTF-8 text, so it can’t be changed with this tool.',
    )
    expect(workspace.bytes('latin.txt').toString('latin1')).toBe('caf\xe9 one')
  })
})

describe('what leaves the workspace, or is left out', () => {
  const reaches = async (name: string, path: string): Promise<string | undefined> =>
    (await tools.prepare(name, { path, edits: [{ old_text: 'a', new_text: 'b' }], content: 'x' })).reaches

  it('needs approval, with the reason', async () => {
    const outside = join(workspace.folder, 'secret.txt')
    writeFileSync(outside, 'a')
    workspace.put('.gitignore', 'dist/\n.env\n')
    workspace.put('.cairnignore', 'private/\n')
    for (const path of ['dist/a.js', '.env', 'private/b.ts', 'src/a.ts', '.git/config']) workspace.put(path, 'a')
    symlinkSync(outside, join(workspace.work, 'out.txt'))
    symlinkSync('..', join(workspace.work, 'up'))
    symlinkSync('private/b.ts', join(workspace.work, 'plain.ts'))
    symlinkSync('src/a.ts', join(workspace.work, 'own.ts'))
    expect(await reaches('read_file', '../secret.txt')).toBe(`${outside} is outside of the workspace.`)
    expect(await reaches('read_file', outside)).toBe(`${outside} is outside of the workspace.`)
    expect(await reaches('read_file', 'out.txt')).toBe(
      `out.txt is a link that leads out of the workspace, to ${outside}.`,
    )
    expect(await reaches('read_file', 'up/secret.txt')).toContain('leads out of the workspace')
    expect(await reaches('write_file', 'up/new.txt')).toContain('leads out of the workspace')
    for (const path of ['dist/a.js', '.env', 'private/b.ts', 'plain.ts', 'dist/new.js'])
      expect([path, await reaches('read_file', path)]).toEqual([path, `${path} is left out by an ignore file.`])
    expect(await reaches('read_file', '.git/config')).toBe('.git/config is in git’s own folder.')
    expect(await reaches('write_file', '.GIT/hooks/pre-commit')).toBe('.GIT/hooks/pre-commit is in git’s own folder.')
    expect(await reaches('read_file', '.cairnignore')).toBeUndefined()
    expect(await reaches('edit_file', '.cairnignore')).toBe('.cairnignore decides what the agent may see and do.')
    for (const path of ['src/a.ts', 'own.ts', 'new/b.ts', join(workspace.work, 'src/a.ts')])
      expect([path, await reaches('read_file', path)]).toEqual([path, undefined])
  })

  it('is not told of before it is approved: no diff with its lines, no lines that are near', async () => {
    workspace.put('.gitignore', '.env\n')
    workspace.put('.env', 'TOKEN=of great value\n')
    await tools.run('read_file', { path: '.env' })
    const call = await tools.prepare('edit_file', {
      path: '.env',
      edits: [{ old_text: 'TOKEN=of great cost', new_text: 'x' }],
    })
    expect(JSON.stringify(call)).not.toContain('value')
    expect(textOf(await call.run())).toContain('TOKEN=of great value')
  })

  it('is not followed when a folder becomes a link between approval and reading', async () => {
    mkdirSync(join(workspace.folder, 'elsewhere'))
    writeFileSync(join(workspace.folder, 'elsewhere/a.ts'), 'secret')
    workspace.put('src/a.ts', 'mine')
    const read = await tools.prepare('read_file', { path: 'src/a.ts' })
    const write = await tools.prepare('write_file', { path: 'src/new.ts', content: 'x' })
    rmSync(join(workspace.work, 'src'), { recursive: true })
    symlinkSync('../elsewhere', join(workspace.work, 'src'))
    expect(textOf(await read.run())).toBe('src/a.ts was moved while it was opened; try again.')
    expect(textOf(await write.run())).toContain('can’t be written: its folder was moved')
    expect(readdirSync(join(workspace.folder, 'elsewhere'))).toEqual(['a.ts'])
  })
})

describe('edit_file and write_file', () => {
  const edit = (path: string, old_text: string, new_text: string): Promise<string> =>
    tools.text('edit_file', { path, edits: [{ old_text, new_text }] })

  it('change a file that was read, and say so with a diff before', async () => {
    workspace.put('src/a.ts', 'one\ntwo\nthree\n')
    for (const text of ['two', 'nowhere'])
      expect(await edit('src/a.ts', text, 'x')).toBe('src/a.ts was not read in this session; read it first.')
    await tools.run('read_file', { path: 'src/a.ts' })
    const call = await tools.prepare('edit_file', { path: 'src/a.ts', edits: [{ old_text: 'two', new_text: 'zwei' }] })
    expect([call.effect, call.title, call.paths]).toEqual(['files', 'edit src/a.ts', ['src/a.ts']])
    expect(call.diff).toBe('--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n')
    expect(workspace.read('src/a.ts')).toBe('one\ntwo\nthree\n')
    expect(await call.run()).toEqual({
      content: [{ type: 'text', text: 'One text was replaced in src/a.ts.' }],
      changed: ['src/a.ts'],
    })
    expect(workspace.read('src/a.ts')).toBe('one\nzwei\nthree\n')
    expect(await edit('src/a.ts', 'three', 'drei')).toBe('One text was replaced in src/a.ts.')
  })

  it('leave alone what somebody changed since, also between approval and writing', async () => {
    workspace.put('a.ts', 'one\n')
    await tools.run('read_file', { path: 'a.ts' })
    const call = await tools.prepare('edit_file', { path: 'a.ts', edits: [{ old_text: 'one', new_text: 'mine' }] })
    workspace.put('a.ts', 'one, theirs\n')
    expect(textOf(await call.run())).toBe('a.ts has changed since it was read; read it again.')
    expect(await edit('a.ts', 'one', 'mine')).toBe('a.ts has changed since it was read; read it again.')
    expect(workspace.read('a.ts')).toBe('one, theirs\n')
    const write = await tools.prepare('write_file', { path: 'new.ts', content: 'mine' })
    workspace.put('new.ts', 'theirs')
    expect(textOf(await write.run())).toBe('new.ts was not read in this session; read it first.')
    expect(workspace.read('new.ts')).toBe('theirs')
  })

  it('make two changes of one file that were prepared together', async () => {
    workspace.put('a.ts', 'one\ntwo\n')
    await tools.run('read_file', { path: 'a.ts' })
    const calls = await Promise.all(
      ['one', 'two'].map((text) =>
        tools.prepare('edit_file', { path: 'a.ts', edits: [{ old_text: text, new_text: `${text}!` }] }),
      ),
    )
    for (const call of calls) await call.run()
    expect(workspace.read('a.ts')).toBe('one!\ntwo!\n')
  })

  it('keep permissions, \\r\\n and the byte order mark, and leave no other file behind', async () => {
    const path = workspace.put('a.sh', '\uFEFFone\r\ntwo\r\n')
    chmodSync(path, 0o754)
    await tools.run('read_file', { path: 'a.sh' })
    await edit('a.sh', 'one\ntwo', 'one\nhalf\ntwo')
    expect(workspace.read('a.sh')).toBe('\uFEFFone\r\nhalf\r\ntwo\r\n')
    await tools.run('write_file', { path: 'a.sh', content: 'all\nnew\n' })
    expect(workspace.read('a.sh')).toBe('\uFEFFall\r\nnew\r\n')
    expect(statSync(path).mode & 0o777).toBe(0o754)
    expect(readdirSync(workspace.work)).toEqual(['a.sh'])
  })

  it('write through a link inside, which stays one', async () => {
    workspace.put('real.ts', 'one')
    symlinkSync('real.ts', join(workspace.work, 'link.ts'))
    await tools.run('read_file', { path: 'link.ts' })
    await edit('link.ts', 'one', 'two')
    expect(workspace.read('real.ts')).toBe('two')
  })

  it('make folders, and say the same again for a text that is there', async () => {
    expect(await tools.text('write_file', { path: 'a/b/c.ts', content: 'x\n' })).toBe('a/b/c.ts was made, with 1 line.')
    const other = toolsOf(workspace)
    const again = await other.run('write_file', { path: 'a/b/c.ts', content: 'x\n' })
    expect([textOf(again), again.changed]).toEqual(['a/b/c.ts has this text already; nothing was changed.', undefined])
    expect(await toolsOf(workspace).text('write_file', { path: 'a/b/c.ts', content: 'y\n' })).toContain('was not read')
  })

  it('refuse to put the placeholder of a secret into a file', async () => {
    const content = 'key = "[redacted:github-token]"\n'
    expect(await tools.text('write_file', { path: 'a.ts', content })).toContain('stands for a secret')
    expect(existsSync(join(workspace.work, 'a.ts'))).toBe(false)
  })

  it.each([
    ['a read-only file', 'locked.ts', 'locked.ts is read-only, so nothing was written.'],
    ['a folder', 'src', 'src is a folder.'],
    ['below a file', 'a.ts/b.ts', 'a.ts/b.ts can’t be written: '],
  ])('say in one sentence that they can’t write %s', async (_name, path, message) => {
    mkdirSync(join(workspace.work, 'src'))
    workspace.put('a.ts', 'x')
    chmodSync(workspace.put('locked.ts', 'x'), 0o444)
    await tools.run('read_file', { path })
    expect(await tools.text('write_file', { path, content: 'y' })).toContain(message)
    expect(workspace.read('a.ts') + workspace.read('locked.ts')).toBe('xx')
  })

  it('remove what a killed process had begun to write', async () => {
    const ended = spawnSync(process.execPath, ['-e', '']).pid
    workspace.put(`.cairn-write-${ended}-0a.tmp`, 'half')
    workspace.put(`.cairn-write-${process.pid}-0b.tmp`, 'at work')
    await tools.run('write_file', { path: 'a.ts', content: 'x' })
    expect(readdirSync(workspace.work).sort()).toEqual([`.cairn-write-${process.pid}-0b.tmp`, 'a.ts'])
  })
})

describe('the log of a session', () => {
  const entriesOf = (at: number): readonly LogEntry[] =>
    [
      { role: 'assistant', at, content: [{ type: 'tool_call', id: '1', name: 'read_file', input: { path: 'a.ts' } }] },
      {
        role: 'user',
        at: at + 5,
        content: [{ type: 'tool_result', callId: '1', content: [{ type: 'text', text: '1\tone' }] }],
      },
    ].map((message, seq) => ({ kind: 'message', id: `m${seq}`, seq, ...message }) as unknown as LogEntry)

  it('lets a resumed session change what it read before, as long as nobody else did', async () => {
    workspace.put('a.ts', 'one')
    const now = Date.now() + 10_000
    const resumed = toolsOf(workspace, { entries: () => Promise.resolve(entriesOf(now)) })
    const input = { path: 'a.ts', edits: [{ old_text: 'one', new_text: 'two' }] }
    expect(await resumed.text('edit_file', input)).toBe('One text was replaced in a.ts.')
    workspace.put('a.ts', 'one')
    const later = toolsOf(workspace, { entries: () => Promise.resolve(entriesOf(Date.now() - 10_000)) })
    expect(await later.text('edit_file', input)).toBe('a.ts has changed since it was read; read it again.')
  })

  it('counts a change in the millisecond of the log as known: the system counts in parts of one', async () => {
    let changedAt = 0
    // A file system may have whole ones alone: then there is nothing to tell apart, and both are known.
    for (let tries = 0; tries < 50 && Number.isInteger(changedAt); tries += 1) {
      workspace.put('a.ts', 'one')
      changedAt = statSync(join(workspace.work, 'a.ts')).ctimeMs
    }
    const input = { path: 'a.ts', content: 'two' }
    const before = toolsOf(workspace, { entries: () => Promise.resolve(entriesOf(Math.floor(changedAt) - 1)) })
    expect(await before.text('write_file', input)).toBe('a.ts has changed since it was read; read it again.')
    const resumed = toolsOf(workspace, { entries: () => Promise.resolve(entriesOf(Math.floor(changedAt))) })
    expect(await resumed.text('write_file', input)).toBe('a.ts was rewritten, with 1 line.')
  })

  it('is understood as reads and edits of files', () => {
    const { files } = fileActivity(entriesOf(1_000))
    expect(files).toMatchObject([{ path: 'a.ts', reads: 1, edits: 0 }])
  })
})
