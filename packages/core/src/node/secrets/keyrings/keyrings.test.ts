/** The programs of the systems' keyrings, each played by something that keeps what it is given. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { KeyringUnavailable } from '../../../ports/keyring.ts'
import { createMacKeychain } from './mac-keychain.ts'
import { createRunProgram, type ProgramCall, type ProgramResult, type RunProgram } from './run-program.ts'
import { createSecretServiceKeyring } from './secret-service.ts'
import { createSystemKeyring } from './system-keyring.ts'
import { createWindowsCredentials } from './windows-credentials.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-keyrings-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const VALUE = 'sk-test "quoted" \\ $HOME €'

/** `secret-tool` as a shell script: entries are files, and what it was called with is noted. */
const SECRET_TOOL = `#!/bin/sh
echo "$@" >> "$KEPT/calls"
verb=$1; shift
case $1 in --label=*) shift;; esac
file="$KEPT/$2.$4"
case $verb in
  store) cat > "$file";;
  lookup) [ -f "$file" ] && cat "$file";;
  clear) [ -f "$file" ] && rm "$file";;
esac
`
const program = (name: string, text: string): NodeJS.ProcessEnv => {
  const path = mkdtempSync(join(folder, 'bin-'))
  writeFileSync(join(path, name), text)
  chmodSync(join(path, name), 0o755)
  return { PATH: `${path}${delimiter}${process.env['PATH'] ?? ''}`, KEPT: path }
}

/** A program that keeps base64 by service and name, as `security` and the Credential Manager are asked to. */
const createRecorder = (read: (call: ProgramCall) => Asked): { readonly run: RunProgram; readonly calls: string[] } => {
  const kept = new Map<string, string>()
  const calls: string[] = []
  return {
    calls,
    run: (call) => {
      calls.push(JSON.stringify([call.args, call.variables]))
      const { verb, key, value = '' } = read(call)
      const found = kept.get(key)
      if (verb === 'set') kept.set(key, value)
      if (verb === 'delete') kept.delete(key)
      const code = verb === 'set' || found !== undefined ? 0 : 44
      return Promise.resolve({ code, stdout: verb === 'get' && found !== undefined ? `${found}\n` : '', stderr: '' })
    },
  }
}
interface Asked {
  readonly verb: 'get' | 'set' | 'delete'
  readonly key: string
  readonly value?: string
}
const askedOfSecurity = ({ args, input = '' }: ProgramCall): Asked => {
  if (args[0] === '-i') {
    const [, service = '', name = '', value = ''] =
      /^add-generic-password -U -s "((?:[^"\\]|\\.)*)" -a "(.*?)" -w ([\w+/=]*)\n$/.exec(input) ?? []
    return { verb: 'set', key: `${service.replaceAll(/\\(.)/g, '$1')} ${name}`, value }
  }
  return { verb: args[0] === 'find-generic-password' ? 'get' : 'delete', key: `${args[2] ?? ''} ${args[4] ?? ''}` }
}
const askedOfPowerShell = ({ args, input, variables = {} }: ProgramCall): Asked => {
  const text = args.at(-1) ?? ''
  const verb = text.includes('.Add(') ? 'set' : text.includes('.Remove(') ? 'delete' : 'get'
  const key = `${variables['CAIRN_SECRET_SERVICE'] ?? ''} ${variables['CAIRN_SECRET_NAME'] ?? ''}`
  return { verb, key, ...(input === undefined ? {} : { value: input }) }
}

const secretTool = program('secret-tool', SECRET_TOOL)
const security = createRecorder(askedOfSecurity)
const powerShell = createRecorder(askedOfPowerShell)

describe.each([
  {
    system: 'linux',
    create: (service: string) => createSecretServiceKeyring(service, createRunProgram(secretTool)),
    calls: () => readFileSync(join(secretTool['KEPT'] ?? '', 'calls'), 'utf8'),
  },
  {
    system: 'darwin',
    create: (service: string) => createMacKeychain(service, security.run),
    calls: () => security.calls.join('\n'),
  },
  {
    system: 'win32',
    create: (service: string) => createWindowsCredentials(service, powerShell.run),
    calls: () => powerShell.calls.join('\n'),
  },
])('the keyring of $system', ({ create, calls }) => {
  const [keyring, other] = [create('cairn'), create('cairn "in" \\ a folder')]

  it('gives back what it was given, by service and name, and replaces it', async () => {
    expect(await keyring.get('anthropic')).toBeUndefined()
    await keyring.set('anthropic', 'first')
    await keyring.set('anthropic', VALUE)
    await keyring.set('openai', 'another')
    await other.set('anthropic', 'of the other')
    expect(await keyring.get('anthropic')).toBe(VALUE)
    expect(await keyring.get('openai')).toBe('another')
    expect(await other.get('anthropic')).toBe('of the other')
  })

  it('deletes one, also one that is not there', async () => {
    await keyring.set('gone', 'value')
    await keyring.delete('gone')
    await keyring.delete('gone')
    expect(await keyring.get('gone')).toBeUndefined()
    expect(await keyring.get('anthropic')).toBe(VALUE)
  })

  it('never puts a value into arguments or variables, in no form', () => {
    const seen = calls()
    expect(seen).toContain('anthropic')
    expect(seen).not.toContain('sk-test')
    expect(seen).not.toContain(Buffer.from(VALUE).toString('base64').slice(0, 12))
  })
})

describe('a keyring that can not be used', () => {
  const reasonWith = async (environment: NodeJS.ProcessEnv, limitMs?: number): Promise<string> => {
    const keyring = createSystemKeyring('cairn', 'linux', createRunProgram(environment, limitMs))
    const error: unknown = await keyring.set('anthropic', 'sk-secret').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(KeyringUnavailable)
    return (error as KeyringUnavailable).message
  }
  const saying = (text: string): NodeJS.ProcessEnv => program('secret-tool', `#!/bin/sh\necho "${text}" >&2\nexit 1\n`)

  it.each([
    ['Cannot autolaunch D-Bus without X11 \\$DISPLAY', 'there is no desktop session here (no D-Bus)'],
    ['Could not connect: No such file or directory', 'there is no desktop session here (no D-Bus)'],
    [
      'The name org.freedesktop.secrets was not provided by any .service files',
      'no program here provides the Secret Service',
    ],
    ['Cannot create an item in a locked collection', 'it is locked, and was not unlocked'],
    ['sk-secret: what nobody knows', 'secret-tool failed'],
  ])('says why: %s', async (text, reason) => {
    expect(await reasonWith(saying(text))).toBe(reason)
  })

  it('says that the program is missing, and which package has it', async () => {
    expect(await reasonWith({ PATH: folder })).toContain('secret-tool is not installed (package libsecret-tools')
  })

  it('ends a program that does not answer', async () => {
    const hanging = program('secret-tool', '#!/bin/sh\nexec sleep 600\n')
    expect(await reasonWith(hanging, 300)).toMatch(/^secret-tool did not answer within/)
  })

  it.each([
    [36, 'nobody can be asked'],
    [128, 'it was not unlocked'],
    [1, 'ended with code 1'],
  ])('says what exit code %i of macOS means', async (code, reason) => {
    const result: ProgramResult = { code, stdout: '', stderr: 'sk-secret' }
    const keychain = createSystemKeyring('cairn', 'darwin', () => Promise.resolve(result))
    for (const call of [keychain.get('a'), keychain.set('a', 'sk-secret'), keychain.delete('a')])
      await expect(call).rejects.toThrow(reason)
    await expect(keychain.set('a', 'x'.repeat(3500))).rejects.toThrow('too long')
  })

  it('says that the Credential Manager does not open', async () => {
    const locker = createSystemKeyring('cairn', 'win32', () => Promise.resolve({ code: 45, stdout: '', stderr: '' }))
    await expect(locker.get('a')).rejects.toThrow('does not open in this session')
    await expect(locker.set('a', 'x'.repeat(2000))).rejects.toThrow('too long')
  })
})
