import { describe, expect, it } from '@jest/globals'
import { redact } from './redact.ts'

/** Plain, as a line of JSON, and as JSON within JSON: each stays valid. */
const everywhere = (text: string): readonly string[] => {
  const line = JSON.parse(redact(JSON.stringify({ text })).text) as { readonly text: string }
  const outer = JSON.parse(redact(JSON.stringify({ arguments: JSON.stringify({ text }) })).text) as {
    readonly arguments: string
  }
  const inner = JSON.parse(outer.arguments) as { readonly text: string }
  return [redact(text).text, line.text, inner.text]
}
const three = (text: string): readonly string[] => [text, text, text]

describe('secrets recognised by their name', () => {
  it.each([
    'Denver2024!',
    'Sup3rSecretPw!9',
    'hunter2secret',
    'MyPassword99',
    'Example99x',
    'env99xyz!',
    'Tr0ub4dor&3',
    'true4ever!',
    'yourNull77',
    'P@$$w0rd99',
    'secret123',
    'nonsense_pw7x9Q2',
  ])('replaces the whole password %s', (value) => {
    for (const form of [
      'password=VALUE',
      'password: "VALUE"',
      "DB_PASSWORD='VALUE'",
      'PASSWORD=VALUE\nUSER=me',
      '{"password":"VALUE"}',
      'pass=VALUE',
      'DB_PASS=VALUE',
      'passwort=VALUE',
      'Passwort: VALUE',
      'tool --password VALUE --verbose',
      'tool --password=VALUE',
      '["tool","--password","VALUE"]',
      'passphrase = "VALUE"',
    ]) {
      expect(everywhere(form.replace('VALUE', () => value))).toEqual(
        three(form.replace('VALUE', '[redacted:password]')),
      )
    }
  })

  it.each([
    ['api_key=9f8e7d6c5b4a', 'api_key=[redacted:api-key]'],
    ['RAILS_MASTER_KEY=310582d67fae1983cb936a9882712cb5', 'RAILS_MASTER_KEY=[redacted:secret-key]'],
    [`secret_key_base: ${'da87'.repeat(32)}`, 'secret_key_base: [redacted:secret]'],
    ['APP_KEY=base64:904ReCUrixMy2qQWhYnokTtHdWZfhmdSPwqTO5bj10I=', 'APP_KEY=[redacted:secret-key]'],
    ['Ocp-Apim-Subscription-Key: 5a8e48f687ab165c', 'Ocp-Apim-Subscription-Key: [redacted:secret-key]'],
    ['DD-APPLICATION-KEY: 3d6975bb3f2594831167', 'DD-APPLICATION-KEY: [redacted:secret-key]'],
    ['PresharedKey = 9d7b64a1c4f20e583b', 'PresharedKey = [redacted:secret-key]'],
    ['DEPLOY_KEY="9d7b64a1c4f20e583b"', 'DEPLOY_KEY="[redacted:secret-key]"'],
    ['PRIVATE-TOKEN: Qw7Zvx8Rt2Lm5Kp9Yb3N', 'PRIVATE-TOKEN: [redacted:token]'],
    ['token = abcDEf7ZvmD6TJQdUua', 'token = [redacted:token]'],
    ['ansible_ssh_pass: zld7zsybp1in4', 'ansible_ssh_pass: [redacted:password]'],
    [`PRIVATE_KEY=0x${'6ad9'.repeat(16)}`, 'PRIVATE_KEY=[redacted:secret-key]'],
    [`private_key: "0x${'6aD9'.repeat(16)}"`, 'private_key: "[redacted:secret-key]"'],
    ['X-Api-Key: 9f8e7d6c5b4a3210', 'X-Api-Key: [redacted:api-key]'],
    ['apiKey: "9f8e7d6c5b4a"', 'apiKey: "[redacted:api-key]"'],
    ['secret=hunter2secret', 'secret=[redacted:secret]'],
    ['JWT_SECRET="k3yb0ard-c4t"', 'JWT_SECRET="[redacted:secret]"'],
    ['SECRET_KEY=django-9f8e7d6c5b', 'SECRET_KEY=[redacted:secret]'],
    ['token=abc12345xyz9', 'token=[redacted:token]'],
    ['MY_TOKEN=abcdef123456', 'MY_TOKEN=[redacted:token]'],
    ['export MY_TOKEN=abcdef123456; run', 'export MY_TOKEN=[redacted:token]; run'],
    ['{"client_secret":"Zx81-Spectrum48k!"}', '{"client_secret":"[redacted:secret]"}'],
    ['{"access_token":"MTk4NjIyNDgz.Cl2FMQ.ZnCjm1XVW7v"}', '{"access_token":"[redacted:token]"}'],
    ['tool --api-key 9f8e7d6c5b4a', 'tool --api-key [redacted:api-key]'],
    ['https://host/x?password=Denver2024&b=c', 'https://host/x?password=[redacted:password]&b=c'],
    ['https://host/x?a=b&access_token=9f8e7d6c5b4a&b', 'https://host/x?a=b&access_token=[redacted:token]&b'],
    ["curl -d 'password=Denver2024&user=me'", "curl -d 'password=[redacted:password]&user=me'"],
    ['PASSWORD=Denver2024&&run', 'PASSWORD=[redacted:password]&&run'],
    ['password=abc12345&foo', 'password=[redacted:password]'],
    ['?password=abc12345&foo(', '?password=[redacted:password]&foo('],
    ['password="it\'s-9-lives"', 'password="[redacted:password]"'],
    ['password="a<b|c;d(9)"', 'password="[redacted:password]"'],
    ['password="back\\slash99"', 'password="[redacted:password]"'],
    ['curl -u admin:hunter2 https://host', 'curl -u admin:[redacted:url-password] https://host'],
    ['curl -s -X POST --user "a:b" https://host', 'curl -s -X POST --user "a:[redacted:url-password]" https://host'],
    ['Authorization: Basic dXNlcjpodW50ZXIy', 'Authorization: Basic [redacted:basic-credentials]'],
    ['{"authorization":"Basic dXNlcjpodW50ZXI="}', '{"authorization":"Basic [redacted:basic-credentials]"}'],
    [`ya29${'.a0AfH6SMBx-abcdefghij'}`, '[redacted:google-oauth-token]'],
    [`hvs${'.CAESIJ1abcdefghijklmnop'}`, '[redacted:vault-token]'],
    [`dapi${'0f1e2d3c4b5a69780f1e2d3c4b5a6978'}`, '[redacted:databricks-token]'],
    ['password=Tr0ub4dor\\u00263x', 'password=[redacted:password]'],
  ])('replaces what is secret in %j', (text, expected) => {
    expect(everywhere(text)).toEqual(three(expected))
  })

  it.each([
    'const token = getToken()',
    'const token = parseToken2',
    'token: Uint8Array | null',
    'password: Uint8Array',
    'password: string',
    'secret = process.env.SECRET',
    'apiKey: process.env.API_KEY_2,',
    'secret: "process.env.SECRET_2"',
    'const secret = secrets.PROD_SECRET_1',
    'token=abc',
    'token=session',
    'TOKEN=$GITHUB_TOKEN_2',
    'TOKEN="${{ secrets.TOKEN_2 }}"',
    'token: $(cat token2.txt)',
    'max_tokens=4096',
    '"max_tokens": 4096, "input_tokens": 1234, "cache_read_tokens":99999999',
    'tokenCount=12345678',
    'token_type=bearer2024',
    'tokens: 12345678ms',
    'if (token === "abc12345xyz9") {}',
    'password=abc12345&foo(',
    'token !== expected123456',
    '(token) => verify2(token)',
    '--space-token: var(--space-100);',
    'token: "space.100"',
    'token: "color-blue-500"',
    '.secret::before { content: "9f8e7d6c5b4a" }',
    'interface Options { readonly apiKey?: string; readonly token: Base64Text }',
    "const token = 'test-token-123'",
    "apiKey: 'fake-api-key-1'",
    '{"api_key": "secret123"}',
    'api_key=sk-12345',
    'api_key="your-api-key-2"',
    'API_KEY=<your-key-2>',
    'API_KEY=xxxxxxxxxxxx1234',
    'API_KEY=YOUR_API_KEY_2',
    'token=abc123def...',
    'MISE_GITHUB_TOKEN: ***',
    '"password": "your-password"',
    'password=<password>',
    'password=xxxxxxxx',
    'password=changeme1',
    'password=true',
    'password = sha256Digest',
    'token = base64Token2',
    'mapKey = itemOfRow27b and master key: none2',
    'APP_KEY=your-app-key-1',
    'token: 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '--- PASS: TestCheckpointID_Path/#00 (0.00s)',
    'PASS: src/foo2.test.ts',
    'bypass=enabled12 and compass: north123x',
    'secretName: db-credentials-2',
    'the --password option and the --token-file /run/secrets/token2',
    'a char-to-token ratio1234 and two-pass processing22',
    'curl -u user:password https://host',
    'curl -u "$USER:$PASS" https://host',
    'docker run -u 1000:1000 image',
    'Authorization: Basic authentication',
    'Authorization: Basic ${btoa(credentials)}',
    '- Basic scenario (agent adds 8 lines)',
    'expires token: 2026-01-02T03:04:05Z',
    '"pass": "要素に0より大きいtabindexは存在しません"',
    'shivs.something and papaya29.example.org',
  ])('leaves %j unchanged', (text) => {
    expect(everywhere(text)).toEqual(three(text))
  })

  it('does not mistake the end of a JSON text for an opening quote', () => {
    const line = '{"text":"password=","ok":true,"n":12345678,"more":"token:","list":[1234567890,"x"],"z":"secret="}'
    expect(redact(line)).toEqual({ text: line, count: 0 })
  })
})
