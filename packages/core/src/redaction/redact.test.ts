import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { redact } from './redact.ts'

const letters = (length: number): string => 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7'.repeat(12).slice(0, length)
const hex = (length: number): string => '0f1e2d3c4b5a6978'.repeat(8).slice(0, length)

/** Prefixes come apart from their rest, so that no scanner takes this file for a leak. */
const secret = (name: string, ...parts: readonly string[]): readonly [string, string] => [name, parts.join('')]

const SECRETS = [
  secret('aws-access-key', 'AK', 'IAQ3EGRS7TUVWX2YZA'),
  secret('github-token', 'gh', 'p_', letters(36)),
  secret('github-token', 'gh', 'o_', letters(36)),
  secret('github-token', 'github_', 'pat_', letters(22), '_', letters(59)),
  secret('gitlab-token', 'gl', 'pat-', letters(20)),
  secret('slack-token', 'xo', 'xb-123456789012-123456789012-', letters(24)),
  secret('google-api-key', 'AI', 'za', letters(35)),
  secret('anthropic-key', 'sk-', 'ant-api03-', letters(93), 'AA'),
  secret('openai-key', 'sk-', 'proj-', letters(48)),
  secret('openai-key', 'sk-', letters(48)),
  secret('stripe-key', 'sk_', 'live_', letters(24)),
  secret('npm-token', 'np', 'm_', letters(36)),
  secret('pypi-token', 'pypi-', 'AgEIcHlwaS5vcmc', letters(60)),
  secret('sendgrid-key', 'SG.', letters(22), '.', letters(43)),
  secret('hugging-face-token', 'hf', '_', letters(34)),
  secret('digitalocean-token', 'do', 'p_v1_', hex(64)),
  secret('twilio-key', 'S', 'K', hex(32)),
  secret('jwt', 'ey', 'J', letters(33), '.eyJ', letters(40), '.', letters(43)),
]

const pem = (lines: number): string =>
  [
    '-----BEGIN RSA PRIVATE KEY-----',
    ...Array.from({ length: lines }, () => letters(64)),
    '-----END RSA PRIVATE KEY-----',
  ].join('\n')

describe('redact', () => {
  it.each(SECRETS)('replaces a %s at any position, and keeps the JSON valid', (name, secret) => {
    for (const text of [
      secret,
      `key=${secret}`,
      `"${secret}"`,
      `run\n${secret}\nnext`,
      `export A='${secret}';`,
      `https://${secret}@host/x`,
      `a\t${secret}, b`,
    ]) {
      const expected = text.replace(secret, `[redacted:${name}]`)
      expect(redact(text)).toEqual({ text: expected, count: 1 })
      const inJson = redact(JSON.stringify({ text }))
      expect(JSON.parse(inJson.text)).toEqual({ text: expected })
      const nested = redact(JSON.stringify({ arguments: JSON.stringify({ text }) }))
      const outer = JSON.parse(nested.text) as { readonly arguments: string }
      expect(JSON.parse(outer.arguments)).toEqual({ text: expected })
    }
  })

  it('replaces whole private keys: plain, in JSON, in nested JSON, and truncated', () => {
    const text = `before\n${pem(12)}\nafter`
    expect(redact(text)).toEqual({ text: 'before\n[redacted:private-key]\nafter', count: 1 })
    const nested = redact(JSON.stringify({ a: JSON.stringify({ text }) }))
    expect(nested.count).toBe(1)
    expect(JSON.parse((JSON.parse(nested.text) as { readonly a: string }).a)).toEqual({
      text: 'before\n[redacted:private-key]\nafter',
    })
    const cut = redact(JSON.stringify({ text: pem(12).slice(0, 500) }))
    expect(JSON.parse(cut.text)).toEqual({ text: '[redacted:private-key]' })
  })

  it('keeps the names around a secret', () => {
    expect(redact(`aws_secret_access_key = ${letters(40)}`).text).toBe(
      'aws_secret_access_key = [redacted:aws-secret-key]',
    )
    expect(redact(`{"SecretAccessKey": "${letters(40)}"}`).text).toBe(
      '{"SecretAccessKey": "[redacted:aws-secret-key]"}',
    )
    expect(redact('postgresql://app:s3cr3t-word@db:5432/x').text).toBe(
      'postgresql://app:[redacted:url-password]@db:5432/x',
    )
    expect(redact(`Authorization: Bearer ${letters(32)}`).text).toBe('Authorization: Bearer [redacted:bearer-token]')
    expect(redact(JSON.stringify({ h: JSON.stringify({ authorization: `bearer ${letters(32)}` }) })).count).toBe(1)
  })

  it.each([
    ['a UUID', '0f1e2d3c-4b5a-6978-8f1e-2d3c4b5a6978'],
    ['a git hash', hex(40)],
    ['a SHA-256', `sha256:${hex(64)}`],
    [
      'ids of messages, calls and requests',
      `msg_01${letters(22)} toolu_01${letters(22)} req_011${letters(21)} call_${letters(24)}`,
    ],
    [
      'names in kebab case',
      'task-sk-some-long-kebab-case-name-with-many-parts and risk-assessment2024withdigitsandlettersinit',
    ],
    [
      'a template',
      'postgres://$USER:${PASSWORD}@host and postgres://user:<password>@host and Authorization: Bearer $TOKEN',
    ],
    ['talk about keys', '-----BEGIN PRIVATE KEY----- and ghp_ and sk-ant-... and AKIA and SECRET_KEY=...'],
    ['an address with a port', 'http://localhost:3000/a@b and git@github.com:me/repo.git'],
    ['long names', 'npm_config_registry hf_hub_download_with_a_long_function_name SG.something'],
  ])('leaves %s unchanged', (_what, text) => {
    expect(redact(text)).toEqual({ text, count: 0 })
  })

  const AWS_KEY = ['q4RtYpLmZxVb7', 'K2NcTwQ', 'hJsDfGkEu9oPiAaRlX'].join('/')
  const AWS_ID = ['AK', 'IAQ3EGRS7TUVWX2YZA'].join('')

  it.each([
    `${AWS_ID} secret ${AWS_KEY}`,
    `${AWS_ID} ${AWS_KEY}`,
    `${AWS_ID}\n${AWS_KEY}\n`,
    `aws_access_key_id = ${AWS_ID}\naws_secret_access_key = ${AWS_KEY}`,
  ])('replaces a secret key of AWS beside its id: %j', (text) => {
    const expected = {
      text: text.replace(AWS_ID, '[redacted:aws-access-key]').replace(AWS_KEY, '[redacted:aws-secret-key]'),
      count: 2,
    }
    expect(redact(text)).toEqual(expected)
    const inJson = redact(JSON.stringify({ text }))
    expect(JSON.parse(inJson.text)).toEqual({ text: expected.text })
  })

  it.each([`the secret is ${AWS_KEY}`, `AWS key: "${AWS_KEY}"`, `secret=${AWS_KEY}`, `aws:\n  key: ${AWS_KEY}`])(
    'replaces a secret key of AWS near such a word: %j',
    (text) => {
      expect(redact(text)).toEqual({ text: text.replace(AWS_KEY, '[redacted:aws-secret-key]'), count: 1 })
      expect(JSON.parse(redact(JSON.stringify({ text })).text)).toEqual({
        text: text.replace(AWS_KEY, '[redacted:aws-secret-key]'),
      })
    },
  )

  const EXAMPLE_KEY = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'

  it.each([
    'AKIAIOSFODNN7EXAMPLE',
    'aws_access_key_id = ASIAIOSFODNN7EXAMPLE',
    `AKIAIOSFODNN7EXAMPLE ${EXAMPLE_KEY}`,
    `aws_access_key_id = AKIAI44QH8DHBEXAMPLE\naws_secret_access_key = je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY`,
    `{"AccessKeyId": "AKIAIOSFODNN7EXAMPLE", "SecretAccessKey": "${EXAMPLE_KEY}"}`,
    `AWS_SECRET_ACCESS_KEY='${EXAMPLE_KEY}' aws s3 ls`,
    `the secret is ${EXAMPLE_KEY}`,
    `tool --secret-key ${EXAMPLE_KEY}`,
  ])('keeps the examples of the documentation of AWS: %j', (text) => {
    expect(redact(text)).toEqual({ text, count: 0 })
    expect(redact(JSON.stringify({ text })).count).toBe(0)
  })

  it('replaces keys that only resemble examples of AWS', () => {
    expect(redact(`AKIAEXAMPLEQ7TUVWX2Y and secret: ${EXAMPLE_KEY.replace('KEY', 'KEx')}`).text).toBe(
      '[redacted:aws-access-key] and secret: [redacted:aws-secret-key]',
    )
  })

  it.each([
    'password=VALUE',
    'DB_PASSWORD=VALUE',
    'passwd: VALUE',
    'pwd=VALUE',
    '"password": "VALUE"',
    "password = 'VALUE'",
    'mysql --password=VALUE -u root',
    'connect(password="VALUE")',
    'https://host/login?password=VALUE&x=1',
    'PASSWORD := "VALUE"',
    'password=VALUE\nnext',
    'Log in with password: VALUE.',
  ])('replaces the password of an assignment: %j', (form) => {
    for (const value of ['hunter2hunter2', 'Tr0ub4dor&3x'.replace('&', '%'), 'correct-horse!battery']) {
      const text = form.replace('VALUE', value)
      const expected = form.replace(/VALUE\.?/, '[redacted:password]')
      expect(redact(text)).toEqual({ text: expected, count: 1 })
      expect(JSON.parse(redact(JSON.stringify({ text })).text)).toEqual({ text: expected })
      const outer = JSON.parse(redact(JSON.stringify({ arguments: JSON.stringify({ text }) })).text) as {
        readonly arguments: string
      }
      expect(JSON.parse(outer.arguments)).toEqual({ text: expected })
    }
  })

  it.each([
    'password = getPassword()',
    'password: string',
    'const password = process.env.DB_PASSWORD',
    'password=os.environ["DB_PASS1"]',
    'password = user1.credentials2.value',
    'password = config_value_1',
    'password: Optional[str] = None',
    'password: z.string().min(8)',
    'PWD=/home/user1/project2 OLDPWD=/home/user1',
    'pwd: src/app2/index',
    'password=$DB_PASSWORD1',
    'password=${DB_PASSWORD_1}',
    'password=<your-password-1>',
    'password=********',
    'password=%(password1)s',
    'password={{ vault_password_1 }}',
    '"password": "changeme1"',
    '"password": "Forgotten?"',
    '"password": "required|min:8"',
    'password: "Password123"',
    'if (password === "abcdefgh1") {}',
    'password_reset_url=/a/b1',
    'the password: see chapter twelve',
    'password: /^(?=.*[0-9]).{8,}$/',
    'password=short1',
    `aws s3 cp ${'packages/core/Src/Ports/Session2/Name'}/x.ts`,
    `the secret of commit ${hex(40)}`,
    'secret internationalisationOfTheWholeApplication',
  ])('does not mistake code or placeholders for a password or key: %j', (text) => {
    expect(redact(text)).toEqual({ text, count: 0 })
  })

  it('leaves base64 unchanged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 200, maxLength: 2000 }), (bytes) => {
        for (const alphabet of ['base64', 'base64url'] as const) {
          const text = JSON.stringify({ data: Buffer.from(bytes).toString(alphabet) })
          expect(redact(text).count).toBe(0)
        }
      }),
    )
  })

  const transcripts = process.env.CAIRN_TEST_DATA ?? ''
  const real = existsSync(transcripts) ? it : it.skip
  real(
    'finds nothing in real transcripts that hold no secrets (skipped unless CAIRN_TEST_DATA names their folder)',
    () => {
      const files = readdirSync(transcripts, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /(?:transcripts|trajectories)[/\\].*\.jsonl(?:\.gz)?$/.test(name),
      )
      let checked = 0
      for (const name of files) {
        const bytes = readFileSync(`${transcripts}/${name}`)
        const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
        for (const line of text.split('\n')) {
          expect(redact(line).count).toBe(0)
          checked++
        }
      }
      expect(checked).toBeGreaterThan(1000)
    },
  )
})
