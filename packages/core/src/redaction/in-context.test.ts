import { describe, expect, it } from '@jest/globals'
import { BASE64, HEX, LETTERS, randomText, URL_SAFE } from '../testing/random-text.ts'
import { redact } from './redact.ts'

const random = randomText(13)
const hex = (length: number): string => random.of(HEX, length)
const base64 = (length: number): string => `${random.of(BASE64, length - 2)}x7`
const urlSafe = (length: number): string => `${random.of(URL_SAFE, length - 2)}x7`
const letters = (length: number): string => `${random.of(LETTERS, length - 2)}x7`

/** What is secret stands between braces. */
const CASES: readonly (readonly [kind: string, text: string])[] = [
  ['token', `aws_session_token = {${base64(700)}==}`],
  ['token', `export AWS_SESSION_TOKEN="{${base64(1200)}=}"`],
  ['token', `AWS_SESSION_TOKEN: {${base64(300)}}`],
  [
    'azure-account-key',
    `DefaultEndpointsProtocol=https;AccountName=a;AccountKey={${base64(86)}==};EndpointSuffix=core`,
  ],
  ['azure-account-key', `Endpoint=sb://a.example/;SharedAccessKeyName=Root;SharedAccessKey={${base64(43)}=}`],
  [
    'azure-sas-signature',
    `https://a.blob.example/c?sv=2024-11-04&ss=b&sig={Ab3Cd4Ef5Gh6Ij7Kl8Mn9Op0Qr1St2Uv3Wx4Yz5ABC%2F%3D}&se=1`,
  ],
  ['telegram-bot-token', `https://api.telegram.org/bot{123456789:AA${urlSafe(33)}}/sendMessage`],
  ['telegram-bot-token', `TELEGRAM={7123456789:AA${urlSafe(33)}}`],
  ['sentry-dsn', `dsn: https://{${hex(32)}}@o123.ingest.us.sentry.io/456`],
  ['sentry-dsn', `SENTRY="https://{${hex(32)}:${hex(32)}}@sentry.example.org/2"`],
  ['session-cookie', `Cookie: theme=dark; connect.sid={s%3A${urlSafe(32)}}; lang=en`],
  ['session-cookie', `Set-Cookie: sessionid={${letters(32)}}; Path=/; HttpOnly`],
  ['session-cookie', `curl --cookie "JSESSIONID={${letters(32)}}" https://host`],
  ['session-cookie', `-H 'cookie: a=b; __Secure-next-auth.session={${urlSafe(90)}}'`],
  ['discord-webhook', `https://discord.com/api/webhooks/123456789012345678/{${urlSafe(68)}}`],
  ['azure-client-secret', `given: {abC8Q~${letters(34)}}`],
  ['url-password', 'nats://app:{s3cr:3t-word}@bus:4222'],
  ['url-password', 'jdbc:sqlserver://sa:{Str0ng-word}@db:1433'],
  ['url-password', 'first line\ncurl -u admin:{Str0ng-word} https://host'],
  ['url-password', '     2\tcurl --user=admin:{Str0ng-word} https://host'],
  ['bearer-token', `Authorization: Token {${hex(40)}}`],
  ['bearer-token', `-H "authorization: SSWS {00${urlSafe(40)}}"`],
  ['basic-credentials', `"r.example": "auth": "{${btoa('me:9f8e7d6c5b4a')}}",`],
  ['basic-credentials', `//r.example/:_auth={${btoa('me:9f8e7d6c5b4a3210')}}`],
  ['password', 'machine api.example login me password {hunter2x}'],
  ['password', 'machine api.example\n  login me\n  password {hunter2x}\nmachine b'],
  ['password', "sshpass -p '{hunter2x}' ssh root@host"],
  ['password', 'docker login -u me -p {hunter2x} r.example'],
  ['password', 'mysql -u root -p{hunter2x} shop'],
  ['password', '$ redis-cli -h cache -a {hunter2x} ping'],
  ['discord-token', `client.login("{MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.${letters(38)}}")`],
  ['url-password', `git clone https://{${letters(40)}}@github.com/a/b.git`],
  ['url-password', `git clone https://{${hex(38)}af}@github.com/a/b.git`],
  ['jwt', `given {eyJ${letters(30)}.eyJ${urlSafe(60)}.${urlSafe(43)}}`],
  ['encoded-settings', `echo {${btoa('DATABASE_URL=postgres://app:hunter2@db/x\nDEBUG=1\n')}} | base64 -d > .env`],
  ['encoded-settings', `env: {${btoa('# local\nexport API_KEY=9f8e7d6c5b4a3210\n')}}`],
  ['password', '<password>{hunter2x!}</password>'],
  ['password', '<add key="SmtpPassword" value="{hunter2x!}" />'],
  ['token', '<apiToken>{9f8e7d6c5b4a}</apiToken>'],
  ['password', 'FROM node\nENV DB_PASSWORD {hunter2x!}\nRUN npm ci'],
  ['password', 'FROM node\nENV PASSWORD {hunter2x!}\nRUN npm ci'],
  ['token', 'ENV TOKEN "{9f8e7d6c5b4a}"'],
  ['api-key', 'ENV MY_APP_API_KEY {9f8e7d6c5b4a}'],
  ['password', 'ARG DB_PASSWORD={hunter2x!}\nENV PGPASSWORD=$DB_PASSWORD'],
  ['token', 'set -gx API_TOKEN {9f8e7d6c5b4a}'],
  ['password', 'body=user%3Dme%26password%3D{hunter2x%21}%26page%3D2'],
  ['url-password', 'to=postgres%3A%2F%2Fapp%3A{hunter2}%40db%2Fx'],
  ['url-password', 'curl -su admin:{Str0ng-word} https://host'],
  ['password', 'db.example:5432:shop:app:{hunter2x}'],
  ['password', '*:6432:*:app:{hunter2x!}'],
  ['password', 'db.example.com:26257:shop:app:{hunter2x}'],
  ['password', '*:*:*:app:{hunter2x!}'],
  ['password', 'localhost:1:shop:app:{hunter2x}\npg:65535:shop:me:password'],
  ['password', "echo '10.0.0.5:6543:*:app:{hunter2x}' > ~/.pgpass"],
  ['password', '     1\tdb.internal:9999:shop:app:{hunter2x}'],
  ['password', 'unzip -P {hunter2x} a.zip'],
  ['password', 'keytool -list -keystore a.jks -storepass {hunter2x} -v'],
  ['password', 'openssl rsa -in a.pem -passin pass:{hunter2x}'],
  ['password', '     1\tmachine api.example\n     2\tlogin me\n     3\tpassword {hunter2x}'],
  ['password-hash', `root:{$6$${letters(16)}$${letters(86)}}:19000:0:99999:7:::`],
  ['password-hash', `me:{$y$j9T$${letters(22)}$${letters(43)}}:19000:0`],
  ['zapier-webhook', `https://hooks.zapier.com/hooks/catch/{1234567/ab12cd3}/`],
  [
    'teams-webhook',
    `https://a.webhook.office.com/webhookb2/{11111111-2222-4333-8444-555555555555@11111111-2222-4333-8444-666666666666/IncomingWebhook/${hex(32)}/11111111-2222-4333-8444-777777777777}`,
  ],
]

describe('credentials recognised by their context', () => {
  it.each(CASES)('%s: %s', (kind, marked) => {
    const text = marked.replace(/[{}]/g, '')
    const expected = marked.replace(/\{.*\}/, `[redacted:${kind}]`)
    expect(redact(text)).toEqual({ text: expected, count: 1 })
    const nested = redact(JSON.stringify({ arguments: JSON.stringify({ text }) }))
    const outer = JSON.parse(nested.text) as { readonly arguments: string }
    expect(JSON.parse(outer.arguments)).toEqual({ text: expected })
    expect(redact(nested.text)).toEqual({ text: nested.text, count: 0 })
  })

  it.each(['', 'RSA ', 'EC ', 'DSA ', 'OPENSSH ', 'ENCRYPTED ', 'PGP '])(
    'finds a private key (%s) in base64',
    (kind) => {
      const lines = Array.from({ length: 5 }, () => random.of(BASE64, 64)).join('\n')
      const encoded = btoa(`-----BEGIN ${kind}PRIVATE KEY-----\n${lines}\n-----END ${kind}PRIVATE KEY-----\n`)
      const wrapped = (encoded.match(/.{1,76}/g) ?? []).join('\n    ')
      const text = `client-key-data: ${encoded}\nKEY="${encoded}"\nkey: |\n    ${wrapped}\nother: 1`
      const expected =
        'client-key-data: [redacted:private-key]\nKEY="[redacted:private-key]"\nkey: |\n    [redacted:private-key]\nother: 1'
      expect(redact(text).text).toBe(expected)
      expect(JSON.parse(redact(JSON.stringify({ text })).text)).toEqual({ text: expected })
    },
  )

  it.each([
    'Authorization: Token authentication of the framework',
    `"auth": "${btoa('none of these words')}"`,
    'auth: required, auth=AbstractFactory2',
    'machine learning login page password policy2',
    'docker login -u me --password-stdin r.example',
    'mysql -u root -p shop',
    'mysql --port 3306 --protocol tcp2 shop',
    'redis-cli -h cache2 ping',
    'ENV NODE_VERSION 20.11.1 and ENV TOKEN_COUNT 5',
    '<password>your-password</password> and <token>string</token>',
    '<add key="Theme" value="dark2023" />',
    'filter%3Dname%26page%3D2',
    'at host:5432:12:34:56 in log',
    'docker-compose.yml:10:image:node:20-alpine',
    'db.example.com:65536:shop:app:hunter2x and db.example.com:0:shop:app:hunter2x',
    'bull:42:queue:job:abc123 and https://db.example.com:8080:a:b:hunter2x',
    '2001:db8:1:ab:cd:ef12 and fe80:1:2:3:abcd:ef12',
    '10.0.0.1:8080:shop:app:80a0:1 and 127.0.0.1:8080:80',
    'pg.example:6543:shop:app:your-password',
    'ENV PASSWORD $DB_PASSWORD',
    'ENV PASSWORD_HASH_ROUNDS 12345678',
    'unzip -P and -storepass are options',
    'https://first.last@host.example and https://a-long-user-name-of-a-team@host.example',
  ])('leaves %j unchanged', (text) => {
    expect(redact(text)).toEqual({ text, count: 0 })
  })

  it('leaves a certificate in base64 unchanged', () => {
    const text = `cert: ${btoa(`-----BEGIN CERTIFICATE-----\n${random.of(BASE64, 64)}\n-----END CERTIFICATE-----\n`)}`
    expect(redact(text)).toEqual({ text, count: 0 })
  })

  it('finds settings in base64 of many lines', () => {
    const encoded = btoa(`NAME=value\nAPI_TOKEN=9f8e7d6c5b4a3210\nOTHER=${'x'.repeat(150)}\n`)
    const text = `before\n${(encoded.match(/.{1,76}/g) ?? []).join('\n')}\nafter`
    expect(redact(text).text).toBe('before\n[redacted:encoded-settings]\nafter')
    expect(JSON.parse(redact(JSON.stringify({ text })).text)).toEqual({
      text: 'before\n[redacted:encoded-settings]\nafter',
    })
  })

  it.each(['Cookie: theme=dark; lang=en', 'document.cookie = "sid=" + id', 'http://localhost:8080?to=a@b', '?sig=abc'])(
    'does not replace %j',
    (text) => {
      expect(redact(text)).toEqual({ text, count: 0 })
    },
  )
})
