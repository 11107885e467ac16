/** `cairn secret` as a process: over a keyring's program that a script plays, over the encrypted file, and on a terminal. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createSandbox, type Sandbox } from '../testing/run-cli.ts'

const KEY = 'sk-ant-api03-this-is-not-a-real-key-0123456789'
const OTHER = 'sk-proj-neither-is-this-one-9876543210'

/** `secret-tool`: entries are files beside it. With \`broken\` beside it, there is no session. */
const SECRET_TOOL = `#!/bin/sh
kept=$(dirname "$0")
[ -f "$kept/broken" ] && { echo 'Cannot autolaunch D-Bus without X11 $DISPLAY' >&2; exit 1; }
verb=$1; shift
case $1 in --label=*) shift;; esac
file="$kept/entry-$4"
case $verb in
  store) cat > "$file";;
  lookup) [ -f "$file" ] && cat "$file";;
  clear) [ -f "$file" ] && rm "$file";;
esac
`

let sandbox: Sandbox
let programs: string
beforeEach(() => {
  sandbox = createSandbox()
  programs = join(sandbox.folder, 'home', '.programs')
})
afterEach(() => sandbox.remove())

/** Gives every call in the sandbox a keyring; before it there is none. */
const addKeyring = async (): Promise<void> => {
  // The shell of the sandbox finds programs there.
  await sandbox.shell('true')
  writeFileSync(join(programs, 'secret-tool'), SECRET_TOOL)
  chmodSync(join(programs, 'secret-tool'), 0o755)
}
const set = (name: string, value: string, more = ''): ReturnType<Sandbox['shell']> =>
  sandbox.shell(`printf '%s\\n' '${value}' | cairn secret set ${name} ${more}`)

/** All that lies in the sandbox, but for what the keyring's program itself keeps. */
const traces = (): string =>
  readdirSync(sandbox.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('entry-'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

describe('cairn secret', () => {
  it('keeps keys in the keyring where there is one, and says so everywhere without the keys', async () => {
    await addKeyring()
    const outputs = [
      await set('anthropic', KEY),
      await set('OPENAI_API_KEY', OTHER, '--json'),
      await sandbox.shell('cairn secret list'),
      await sandbox.shell('cairn secret --json'),
      await sandbox.shell('cairn models'),
      await sandbox.shell('cairn doctor --json'),
      await sandbox.shell('CAIRN_DEBUG=1 cairn secret set anthropic extra'),
    ]
    expect(outputs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0, 2])
    expect(readFileSync(join(programs, 'entry-anthropic'), 'utf8')).toBe(KEY)
    expect(JSON.parse(outputs[1]?.stdout ?? '')).toEqual({
      name: 'openai',
      keptIn: 'keyring',
      file: null,
      keyringProblem: null,
    })
    expect(outputs[2]?.stdout).toBe("anthropic  the system's keyring\nopenai     the system's keyring\nTotal  2 keys\n")
    expect(outputs[4]?.stdout).toContain('OpenAI (openai): key set (keyring)')
    for (const { stdout, stderr } of outputs) {
      expect(stdout + stderr).not.toContain(KEY)
      expect(stdout + stderr).not.toContain(OTHER)
    }
    expect(traces()).not.toContain(KEY)
    expect((await sandbox.shell('cairn secret delete openai-chat')).stdout).toBe('The key of OpenAI is deleted.\n')
    expect((await sandbox.shell('cairn secret delete openai')).code).toBe(1)
    expect(existsSync(join(programs, 'entry-openai'))).toBe(false)
  })

  it('keeps them in an encrypted file where the keyring can not be reached, and says why', async () => {
    await addKeyring()
    writeFileSync(join(programs, 'broken'), '')
    const { stdout, stderr } = await set('anthropic', KEY)
    const file = join(sandbox.folder, 'data', 'secrets.enc')
    expect(stdout).toBe(`The key of Anthropic is kept in the encrypted file ${file}.\n`)
    expect(stderr).toBe("The system's keyring can't be used: there is no desktop session here (no D-Bus).\n")
    expect(traces()).not.toContain(KEY)
    expect(await sandbox.json('secret', 'list')).toEqual({
      secrets: [{ name: 'anthropic', keptIn: 'file', file }],
      total: { secrets: 1 },
    })
    const { keys } = (await sandbox.json('models')) as { readonly keys: readonly { readonly provider: string }[] }
    expect(keys.find(({ provider }) => provider === 'anthropic')).toMatchObject({ key: 'set', found: { from: 'file' } })
    await sandbox.cairn('import')
    const doctor = (): Promise<unknown> => sandbox.json('doctor')
    expect(await doctor()).toMatchObject({ keys: { file, kept: [{ name: 'anthropic' }], problem: null } })
    expect((await sandbox.cairn('doctor')).stdout.replaceAll(/\s+/g, ' ')).toContain(`Keys anthropic in ${file}`)
    chmodSync(file, 0o640)
    expect(await sandbox.cairn('doctor')).toMatchObject({ code: 1, stdout: expect.stringContaining('chmod 600') })
    const models = await sandbox.cairn('models')
    expect(models.code).toBe(0)
    expect(models.stderr).toBe(
      `${file} may be read by others on this machine (mode 640), so it is not used: chmod 600 ${file}\n`,
    )
  })

  it('says that a key in the environment comes first', async () => {
    const { code, stderr } = await sandbox.shell(
      `printf %s '${KEY}' | ANTHROPIC_API_KEY=${OTHER} cairn secret set anthropic --file`,
    )
    expect(code).toBe(0)
    expect(stderr).toBe('ANTHROPIC_API_KEY is set in the environment, and comes before the stored key.\n')
  })

  it("says that a key has the form of another provider's", async () => {
    const notes = async (name: string): Promise<string> => (await set(name, KEY, '--file')).stderr
    expect(await notes('google')).toBe('This looks like a key of Anthropic, not of Google; it is kept all the same.\n')
    expect(await notes('anthropic')).toBe('')
  })

  it('keeps all that several programs keep at once', async () => {
    const names = ['anthropic', 'openai', 'google', 'openrouter']
    const results = await Promise.all(names.map((name) => set(name, `${KEY}-${name}`, '--file')))
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect((await sandbox.cairn('secret')).stdout).toMatch(/^Total {2}4 keys$/m)
  })

  it.each([
    [`anthropic ${KEY}`, "not given as an argument, where other users and the shell's history see it"],
    [KEY, 'That is not the name of a provider, and nothing was kept.'],
    ['antropic', "There is no provider 'antropic', and nothing was kept. Did you mean 'anthropic'?"],
    ['anthropic --lock nothing', '--lock takes one of passphrase, key-file'],
  ])('refuses in one sentence, without the key: secret set %s', async (args, sentence) => {
    const { code, stdout, stderr } = await sandbox.shell(`cairn secret set ${args} < /dev/null`)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain(KEY)
    expect(existsSync(join(sandbox.folder, 'data'))).toBe(false)
  })

  it.each([
    ['nothing', '', 'Standard input was empty'],
    ['a variable with its name', `ANTHROPIC_API_KEY=${KEY}`, 'give it alone'],
    ['a header', `Bearer ${KEY}`, 'it holds a space'],
    ['other letters', 'k\u00e9y', 'a character that no key has'],
    ['a file', 'x'.repeat(9000), 'more than 8192 characters'],
  ])('refuses what is no key: %s', async (_what, value, sentence) => {
    const { code, stderr } = await set('anthropic', value)
    expect(code).toBe(2)
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain(KEY)
    expect(existsSync(join(sandbox.folder, 'data', 'secrets.enc'))).toBe(false)
  })

  it('opens a file with its passphrase alone', async () => {
    const passphrase = (text: string): string => `CAIRN_SECRETS_PASSPHRASE='${text}'`
    const lock = (text: string, more: string) =>
      sandbox.shell(`printf %s '${KEY}' | ${passphrase(text)} cairn secret set ${more}`)
    expect((await lock('short', 'anthropic --lock passphrase')).stderr).toContain('at least 8 characters')
    expect((await lock('correct horse', 'anthropic --lock passphrase')).code).toBe(0)
    const file = join(sandbox.folder, 'data', 'secrets.enc')
    expect(await lock('battery staple', 'openai --file')).toMatchObject({
      code: 1,
      stderr: `That is not the passphrase of ${file}; try again.\n`,
    })
    expect((await set('openai', OTHER, '--file')).stderr).toBe(
      `A passphrase locks ${file}, and there is no terminal to ask for it: set CAIRN_SECRETS_PASSPHRASE.\n`,
    )
    expect((await sandbox.cairn('secret', 'list')).stdout).toMatch(/^Total {2}1 key$/m)
  })
})

/** Whether a program is there, and says this of itself. */
const isInstalled = (program: string, option: string, words: RegExp): boolean => {
  try {
    return words.test(execFileSync(program, [option], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return false
  }
}

const hasSecretService =
  isInstalled('gnome-keyring-daemon', '--version', /gnome-keyring/) &&
  isInstalled('dbus-run-session', '--version', /dbus/) &&
  isInstalled('which', 'secret-tool', /secret-tool/)

;(hasSecretService ? describe : describe.skip)('cairn secret in a real Secret Service (GNOME Keyring)', () => {
  it('keeps, gives back and deletes', async () => {
    const { code, stdout, stderr } = await sandbox.shell(`
      export XDG_RUNTIME_DIR="$HOME" XDG_DATA_HOME="$HOME/share"
      exec dbus-run-session -- sh -c '
        printf unlocked | gnome-keyring-daemon --unlock --components=secrets > "$HOME/daemon"
        printf %s ${KEY} | cairn secret set anthropic --json
        secret-tool lookup service "cairn ($CAIRN_HOME)" account anthropic && echo
        cairn secret list
        cairn secret delete anthropic
        secret-tool lookup service "cairn ($CAIRN_HOME)" account anthropic || echo gone'`)
    expect(stderr).not.toContain("can't be used")
    expect(code).toBe(0)
    expect(stdout).toContain(`"keptIn":"keyring"`)
    expect(stdout).toContain(KEY)
    expect(stdout).toMatch(/Total {2}1 key\nThe key of Anthropic is deleted\.\ngone\n$/)
  })
})

;(isInstalled('script', '--version', /util-linux/) ? describe : describe.skip)('cairn secret on a terminal', () => {
  const transcript = (): string => join(sandbox.folder, 'shown.txt')
  /** Waits for a text, two minutes at most, so that nothing is left running where it never comes. */
  const shownBy = (text: string): string =>
    `for turn in $(seq 2400); do grep -qF '${text}' '${transcript()}' && break; sleep 0.05; done`

  /** Runs a line on a terminal and gives answers, each when its question stands there; all that the terminal showed. */
  const shownOf = async (line: string, answers: readonly (readonly [string, string])[]): Promise<string> => {
    writeFileSync(transcript(), '')
    const typing = answers.map(([question, answer]) => `${shownBy(question)}; printf '${answer}'`)
    await sandbox.shell(
      `{ ${[...typing, shownBy('[ended')].join('; ')}; } | script -qfec "${line}; echo [ended \\$?]" '${transcript()}'`,
    )
    return readFileSync(transcript(), 'utf8')
  }

  it('asks for the key and for a passphrase, and shows neither', async () => {
    const shown = await shownOf('cairn secret set anthropic --lock passphrase', [
      ['Key of Anthropic (not shown): ', `${KEY}x\\x7f\\r`],
      ['Passphrase of', 'correct horse\\r'],
      ['once more', 'correct horse\\r'],
    ])
    expect(shown).toContain('The key of Anthropic is kept in the encrypted file')
    expect(shown).toContain('[ended 0]')
    expect(shown).not.toContain(KEY)
    expect(shown).not.toContain('correct')
  })

  it.each([
    ['two passphrases that differ', 'correct hearse\\r', 'The two passphrases differ; nothing was kept. [ended 2]'],
    ['the end of the input', '\\x04', 'The two passphrases differ; nothing was kept. [ended 2]'],
    ['Ctrl-C', '\\x03', 'Stopped; nothing was changed. [ended 130]'],
  ])('keeps nothing after %s', async (_what, answer, sentence) => {
    const shown = await shownOf('cairn secret set anthropic --lock passphrase', [
      ['Key of Anthropic (not shown): ', `${KEY}\\r`],
      ['Passphrase of', 'correct horse\\r'],
      ['once more', answer],
    ])
    expect(shown.replaceAll(/\s+/g, ' ')).toContain(sentence)
    expect(existsSync(join(sandbox.folder, 'data', 'secrets.enc'))).toBe(false)
  })

  it.each([
    ['the input ends', '\\x04', 'No key was given, and nothing was kept. [ended 1]'],
    ['Ctrl-C is pressed', '\\x03', 'Stopped; nothing was changed. [ended 130]'],
  ])('keeps nothing when %s at the question', async (_what, answer, sentence) => {
    const shown = await shownOf('cairn secret set anthropic', [['(not shown): ', answer]])
    expect(shown.replaceAll(/\s+/g, ' ')).toContain(sentence)
    expect(existsSync(join(sandbox.folder, 'data', 'secrets.enc'))).toBe(false)
  })
})
