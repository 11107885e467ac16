import { describe, expect, it } from '@jest/globals'
import { fileNameHash, spokenFileNames } from './spoken-files.ts'

const names = (query: string, path: string): boolean => spokenFileNames(query.split(' ')).has(fileNameHash(path))

describe('spokenFileNames', () => {
  it.each([
    ['append in session log', 'packages/core/src/session-log.ts'],
    ['append in session log', 'src\\sessionLog.go'],
    ['append to session_log now', 'SESSION_LOG'],
    ['SessionLog append', 'session_log.py'],
    ['render node in view', 'list/view.go'],
    ['Größe table', 'grosse-table.css'],
    ['session log test', 'session-log.test.ts'],
  ])('%s names %s', (query, path) => expect(names(query, path)).toBe(true))

  it.each([
    ['append in session log', 'log.ts'],
    ['append in session log', 'src/session/logs.ts'],
    ['session then log', 'session-log.ts'],
    ['what the index holds', 'index.ts'],
    ['from there to here', 'there.ts'],
    ['', '.ts'],
  ])('%s does not name %s', (query, path) => expect(names(query, path)).toBe(false))
})
