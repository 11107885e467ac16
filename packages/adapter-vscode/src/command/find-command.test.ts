import { findCommand } from './find-command.ts'
import type { CairnCommand, CommandSources } from './find-command.ts'

describe('the command that a window runs', () => {
  const at = (path: string): CairnCommand => ({ path, args: [], variables: {} })
  const bundled: CairnCommand = { path: '/editor/node', args: ['/extension/cairn.js'], variables: { A: 'b' } }
  const sources = (there: readonly string[], more: Partial<CommandSources> = {}): CommandSources => ({
    setting: '',
    folders: ['/code/shop'],
    variables: { PATH: '.:/usr/bin:/opt/bin' },
    platform: 'linux',
    exists: (path) => there.includes(path),
    bundled: undefined,
    ...more,
  })

  it('is the configured one, the project’s, or the one on the PATH', () => {
    const there = ['/own/cairn', '/code/shop/node_modules/.bin/cairn', '/opt/bin/cairn', 'cairn']
    expect(findCommand(sources(there, { setting: '/own/cairn' }))).toEqual({ kind: 'found', command: at('/own/cairn') })
    expect(findCommand(sources(there))).toEqual({ kind: 'found', command: at('/code/shop/node_modules/.bin/cairn') })
    expect(findCommand(sources(there, { folders: [] }))).toEqual({ kind: 'found', command: at('/opt/bin/cairn') })
    expect(
      findCommand(
        sources(['D:\\bin\\cairn.cmd'], { platform: 'win32', folders: [], variables: { Path: 'C:\\x;D:\\bin' } }),
      ),
    ).toEqual({ kind: 'found', command: at('D:\\bin\\cairn.cmd') })
  })

  it('is the one inside of the extension where there is no other, and not where the setting names one', () => {
    expect(findCommand(sources([], { bundled }))).toEqual({ kind: 'found', command: bundled })
    expect(findCommand(sources(['/opt/bin/cairn'], { bundled }))).toEqual({
      kind: 'found',
      command: at('/opt/bin/cairn'),
    })
    expect(findCommand(sources([], { bundled, setting: '/own/cairn' }))).toMatchObject({ kind: 'missing' })
  })

  it('is reported as missing in a sentence, and is never in a relative folder', () => {
    expect(findCommand(sources(['cairn', './cairn']))).toMatchObject({
      kind: 'missing',
      sentence: expect.stringContaining('cairn.command'),
    })
    expect(findCommand(sources(['bin/cairn'], { setting: 'bin/cairn' }))).toMatchObject({
      kind: 'missing',
      sentence: expect.stringContaining('absolute path'),
    })
  })
})
