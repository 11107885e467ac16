import { describe, expect, it } from '@jest/globals'
import { BASE64, HEX, LETTERS, LOWER_DIGITS, randomText, UPPER_DIGITS, URL_SAFE } from '../testing/random-text.ts'
import { redact } from './redact.ts'

const random = randomText(11)
const hexadecimal = (length: number): string => random.of(HEX, length)
const uuid = (): string => [8, 4, 4, 4, 12].map(hexadecimal).join('-')
const base64 = (bytes: number): string => btoa(String.fromCharCode(...random.bytes(bytes)))
const word = (): string => random.of('abcdefghijklmnoprstuvwy', 2 + random.below(9))
const words = (count: number, between: string): string => Array.from({ length: count }, word).join(between)
const any = (texts: readonly string[]): string => texts[random.below(texts.length)] ?? ''

/** What stands in transcripts and looks as random as a secret. */
const INNOCENT: readonly (() => string)[] = [
  () => hexadecimal(any(['32', '40', '64', '96', '128']).length * 16),
  () => `commit ${hexadecimal(40)}\nMerge: ${hexadecimal(7)} ${hexadecimal(7)}`,
  () => `index ${hexadecimal(10)}..${hexadecimal(10)} 100644`,
  () => `sha256:${hexadecimal(64)}`,
  () => `"checksum": "${hexadecimal(64)}"`,
  uuid,
  () => uuid().toUpperCase(),
  () => `"sessionId":"${uuid()}","parentUuid":"${uuid()}"`,
  () => `data:image/png;base64,${base64(60 + random.below(900))}`,
  () => `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo${base64(300)}"}}`,
  () => `"signature":"${base64(200 + random.below(300))}"`,
  () => `"integrity": "sha512-${base64(64)}"`,
  () => `integrity sha512-${base64(64)}`,
  () => `"resolved": "https://registry.npmjs.org/${word()}/-/${word()}-1.2.3.tgz#${hexadecimal(40)}"`,
  () => `resolution: {integrity: sha512-${base64(64)}}`,
  () => `github.com/${word()}/${word()} v1.2.3 h1:${base64(32)}`,
  () => `--hash=sha256:${hexadecimal(64)}`,
  () => `01${random.of('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)}`,
  () => random.of(URL_SAFE, 21),
  () => random.of(LOWER_DIGITS, 25),
  () => `c${random.of(LOWER_DIGITS, 24)}`,
  () => hexadecimal(24),
  () => `msg_01${random.of(LETTERS, 22)} toolu_01${random.of(LETTERS, 22)} req_011${random.of(LETTERS, 21)}`,
  () => `call_${random.of(LETTERS, 24)} chatcmpl-${random.of(LETTERS, 29)} resp_${hexadecimal(48)}`,
  () => `00-${hexadecimal(32)}-${hexadecimal(16)}-01`,
  () => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${random.of(BASE64, 43)} me@host`,
  () => `-----BEGIN CERTIFICATE-----\n${random.of(BASE64, 64)}\n${random.of(BASE64, 64)}\n-----END CERTIFICATE-----`,
  () => `arn:aws:iam::${random.of('0123456789', 12)}:role/${word()}-${word()}`,
  () =>
    `.css-${random.of(LOWER_DIGITS, 6)}{color:#${hexadecimal(6)};background:url(/a/${hexadecimal(20)}.png?v=${hexadecimal(8)})}`,
  () => `--${words(3, '-')}-${random.below(999)}: var(--${words(2, '-')});`,
  () =>
    `var ${random.of('abcdef', 1)}=function(t,e){return t.${word()}(e,${random.below(9999)})},${word()}=n(${random.below(9999)});`,
  () => `chunk-${random.of(UPPER_DIGITS, 8)}.js ${word()}-${random.of(URL_SAFE, 8)}.css`,
  () => `https://host.example/${words(3, '/')}?v=${hexadecimal(12)}&id=${uuid()}&page=${random.below(99)}`,
  () => `https://host.example:${1024 + random.below(60000)}/${words(2, '/')}@${random.below(9)}.${random.below(9)}.0`,
  () => `ETag: W/"${hexadecimal(32)}"`,
  () => `/home/${word()}/${words(4, '/')}/${word()}-${hexadecimal(8)}.ts:${random.below(999)}:${random.below(99)}`,
  () => `${words(5, '_')}_${random.below(99)} ${words(4, '-')}-${random.below(99)}`,
  () => `${words(6, '-')}-${hexadecimal(7)}.${word()}.example.app`,
  () => `0x${hexadecimal(40)} 0x${hexadecimal(64)}`,
  () => `bc1q${random.of(LOWER_DIGITS, 38)} Qm${random.of(LETTERS, 44)}`,
  () => `max_tokens=${random.below(99999)} input_tokens: ${random.below(999999)}, tokenCount=${random.below(99999999)}`,
  () => `Cookie: theme=dark; lang=en; _ga=GA1.2.${random.of('0123456789', 10)}.${random.of('0123456789', 10)}`,
  () =>
    `2026-01-0${1 + random.below(9)}T0${random.below(10)}:00:00.${random.of('0123456789', 3)}Z [${word()}#${random.below(9999)}]`,
  () => `{"cursor":"${base64(48)}","etag":"${random.of(LETTERS, 27)}"}`,
  () =>
    `//# sourceMappingURL=data:application/json;charset=utf-8;base64,${btoa(`{"version":3,"names":["${words(9, '","')}"]}`)}`,
  () => `echo ${btoa(`${words(4, ' ')}\n${words(7, ' ')}\n`)} | base64 -d`,
  () => `echo ${btoa(`MODE=${word()}\nNODE_ENV=production\nPORT=3000\n`)} | base64 -d`,
]

describe('random-looking text that is not secret', () => {
  it('is unchanged, in 12,000 values of 47 kinds, plain and in JSON', () => {
    const replaced: string[] = []
    for (let index = 0; index < 12_000; index++) {
      const text = INNOCENT[index % INNOCENT.length]?.() ?? ''
      for (const form of [text, JSON.stringify({ text }), JSON.stringify({ arguments: JSON.stringify({ text }) })])
        if (redact(form).count > 0) replaced.push(redact(form).text)
    }
    expect(replaced).toEqual([])
  })
})
