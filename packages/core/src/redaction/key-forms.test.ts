import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import {
  BASE64,
  DIGITS,
  HEX,
  LETTERS,
  LOWER_DIGITS,
  randomText,
  UPPER_DIGITS,
  URL_SAFE,
} from '../testing/random-text.ts'
import { ASSIGNED_KINDS } from './assigned.ts'
import { ENCODED_KIND } from './encoded.ts'
import { BLOCK_PATTERNS, CONTEXT_PATTERNS } from './in-context.ts'
import { KEY_FORMS } from './key-forms.ts'
import { redact } from './redact.ts'

const random = randomText(7)
/** Ends in letters and digits, as all but a few in a thousand keys do. */
const of =
  (alphabet: string, last = alphabet) =>
  (length: number): string =>
    `${random.of(alphabet, length - 2)}4${random.of(last, 1)}`
const digits = of(DIGITS)
const hexadecimal = of(HEX)
const letters = of(LETTERS)
const lower = of(LOWER_DIGITS)
const upper = of(UPPER_DIGITS)
const urlSafe = of(URL_SAFE, LETTERS)
const base64 = of(BASE64, LETTERS)

const uuid = (): string => [8, 4, 4, 4, 12].map(hexadecimal).join('-')

/** One of each beginning, in real length. The beginning stands apart, so that no scanner takes this file for a leak. */
const SAMPLES: readonly (readonly [kind: string, start: string, rest: () => string])[] = [
  ['anthropic-key', 'sk-ant-', () => `api03-${urlSafe(93)}AA`],
  ['openai-key', 'sk-proj-', () => `${urlSafe(74)}T3BlbkFJ${urlSafe(74)}`],
  ['openai-key', 'sk-svcacct-', () => `${urlSafe(58)}T3BlbkFJ${urlSafe(58)}`],
  ['openai-key', 'sk-admin-', () => `${urlSafe(58)}T3BlbkFJ${urlSafe(58)}`],
  ['openrouter-key', 'sk-or-v1-', () => hexadecimal(64)],
  ['langfuse-key', 'sk-lf-', uuid],
  ['openai-key', 'sk-', () => `${letters(20)}T3BlbkFJ${letters(20)}`],
  ['elevenlabs-key', 'sk_', () => hexadecimal(48)],
  ['groq-key', 'gsk_', () => letters(52)],
  ['xai-key', 'xai-', () => letters(80)],
  ['nvidia-key', 'nvapi-', () => urlSafe(64)],
  ['perplexity-key', 'pplx-', () => letters(48)],
  ['cerebras-key', 'csk-', () => lower(48)],
  ['fireworks-key', 'fw_', () => letters(24)],
  ['together-key', 'tgp_v1_', () => urlSafe(43)],
  ['replicate-token', 'r8_', () => letters(37)],
  ['hugging-face-token', 'hf_', () => letters(34)],
  ['hugging-face-token', 'api_org_', () => letters(34)],
  ['langsmith-key', 'lsv2_pt_', () => `${hexadecimal(32)}_${hexadecimal(10)}`],
  ['langsmith-key', 'lsv2_sk_', () => `${hexadecimal(32)}_${hexadecimal(10)}`],
  ['jina-key', 'jina_', () => letters(60)],
  ['tavily-key', 'tvly-', () => `dev-${letters(32)}`],
  ['firecrawl-key', 'fc-', () => hexadecimal(32)],
  ['e2b-key', 'e2b_', () => hexadecimal(40)],
  ['aws-access-key', 'AKIA', () => upper(16)],
  ['aws-access-key', 'ASIA', () => upper(16)],
  ['aws-access-key', 'ABIA', () => upper(16)],
  ['aws-access-key', 'ACCA', () => upper(16)],
  ['aws-session-token', 'IQoJb3JpZ2luX2Vj', () => `${base64(846)}==`],
  ['aws-session-token', 'FwoGZXIvYXdzE', () => `${base64(356)}=`],
  ['aws-session-token', 'FQoGZXIvYXdzE', () => base64(280)],
  ['aws-session-token', 'FQoDYXdzE', () => base64(340)],
  ['alibaba-access-key', 'LTAI', () => letters(20)],
  ['google-api-key', 'AIza', () => urlSafe(35)],
  ['google-oauth-token', 'ya29.', () => `a0${urlSafe(160)}`],
  ['google-oauth-secret', 'GOCSPX-', () => urlSafe(28)],
  ['google-refresh-token', '1//0', () => urlSafe(99)],
  ['digitalocean-token', 'dop_v1_', () => hexadecimal(64)],
  ['digitalocean-token', 'doo_v1_', () => hexadecimal(64)],
  ['digitalocean-token', 'dor_v1_', () => hexadecimal(64)],
  ['cloudflare-token', 'cfk_', () => letters(40) + hexadecimal(8)],
  ['cloudflare-token', 'cfut_', () => letters(40) + hexadecimal(8)],
  ['cloudflare-token', 'cfat_', () => letters(40) + hexadecimal(8)],
  ['heroku-key', 'HRKU-', () => `AA${urlSafe(58)}`],
  ['vercel-token', 'vcp_', () => letters(56)],
  ['vercel-token', 'vci_', () => letters(56)],
  ['vercel-token', 'vca_', () => letters(56)],
  ['vercel-token', 'vcr_', () => letters(56)],
  ['vercel-token', 'vck_', () => letters(56)],
  ['netlify-token', 'nfp_', () => letters(36)],
  ['render-key', 'rnd_', () => letters(32)],
  ['fly-token', 'fo1_', () => urlSafe(43)],
  ['fly-token', 'fm1_', () => `${base64(200)}=`],
  ['fly-token', 'fm2_', () => `${base64(600)}==`],
  ['fly-token', 'fm1r_', () => base64(300)],
  ['fly-token', 'fm1a_', () => base64(300)],
  ['databricks-token', 'dapi', () => `${hexadecimal(32)}-2`],
  ['tailscale-key', 'tskey-', () => `auth-${letters(17)}-${letters(32)}`],
  ['vault-token', 'hvs.', () => `CAES${urlSafe(90)}`],
  ['vault-token', 'hvb.', () => `AAAA${urlSafe(140)}`],
  ['vault-token', 'hvr.', () => `CAES${urlSafe(90)}`],
  ['terraform-token', 'atlasv1.', () => urlSafe(67)],
  ['pulumi-token', 'pul-', () => hexadecimal(40)],
  ['doppler-token', 'dp.pt.', () => letters(43)],
  ['doppler-token', 'dp.st.', () => `dev.${letters(43)}`],
  ['doppler-token', 'dp.ct.', () => letters(43)],
  ['doppler-token', 'dp.sa.', () => letters(43)],
  ['doppler-token', 'dp.scim.', () => letters(43)],
  ['doppler-token', 'dp.audit.', () => letters(43)],
  ['onepassword-token', 'ops_', () => `eyJ${base64(600)}fQ==`],
  ['age-key', 'AGE-SECRET-KEY-1', () => upper(58)],
  ['age-key', 'AGE-SECRET-KEY-PQ-1', () => upper(58)],
  ['supabase-token', 'sbp_', () => hexadecimal(40)],
  ['supabase-token', 'sb_secret_', () => `${urlSafe(22)}_${letters(8)}`],
  ['planetscale-token', 'pscale_pw_', () => urlSafe(43)],
  ['planetscale-token', 'pscale_tkn_', () => urlSafe(43)],
  ['planetscale-token', 'pscale_oauth_', () => urlSafe(43)],
  ['neon-key', 'napi_', () => lower(64)],
  ['github-token', 'ghs_', () => `${digits(8)}_ey${letters(40)}.${urlSafe(120)}.${urlSafe(80)}`],
  ['github-token', 'ghp_', () => letters(36)],
  ['github-token', 'gho_', () => letters(36)],
  ['github-token', 'ghu_', () => letters(36)],
  ['github-token', 'ghs_', () => letters(36)],
  ['github-token', 'ghr_', () => letters(76)],
  ['github-token', 'github_pat_', () => `${letters(22)}_${letters(59)}`],
  ['gitlab-token', 'glpat-', () => urlSafe(20)],
  ['gitlab-token', 'glpat-', () => `${urlSafe(27)}.01.${lower(9)}`],
  ['gitlab-token', 'glptt-', () => hexadecimal(40)],
  ['gitlab-token', 'gldt-', () => urlSafe(20)],
  ['gitlab-token', 'glrt-', () => urlSafe(20)],
  ['gitlab-token', 'glrtr-', () => urlSafe(20)],
  ['gitlab-token', 'glcbt-', () => `64_${urlSafe(20)}`],
  ['gitlab-token', 'glsoat-', () => urlSafe(20)],
  ['gitlab-token', 'gloas-', () => hexadecimal(64)],
  ['gitlab-token', 'glft-', () => urlSafe(20)],
  ['gitlab-token', 'glimt-', () => urlSafe(25)],
  ['gitlab-token', 'glagent-', () => urlSafe(50)],
  ['gitlab-token', 'glffct-', () => urlSafe(20)],
  ['bitbucket-token', 'ATBB', () => letters(32)],
  ['atlassian-token', 'ATATT3x', () => `FfGF0${urlSafe(174)}=${upper(8)}`],
  ['atlassian-token', 'ATCTT3x', () => `FfGN0${urlSafe(174)}=${upper(8)}`],
  ['atlassian-token', 'ATSTT3x', () => `FfGN0${urlSafe(174)}=${upper(8)}`],
  ['npm-token', 'npm_', () => letters(36)],
  ['pypi-token', 'pypi-AgE', () => `IcHlwaS5vcmc${urlSafe(140)}`],
  ['rubygems-key', 'rubygems_', () => hexadecimal(48)],
  ['nuget-key', 'oy2', () => lower(43)],
  ['docker-token', 'dckr_pat_', () => urlSafe(27)],
  ['docker-token', 'dckr_oat_', () => urlSafe(32)],
  ['sourcegraph-token', 'sgp_', () => `${hexadecimal(16)}_${hexadecimal(40)}`],
  ['buildkite-token', 'bkua_', () => hexadecimal(40)],
  ['circleci-token', 'CCIPAT_', () => `${letters(22)}_${hexadecimal(40)}`],
  ['circleci-token', 'CCIPRJ_', () => `${letters(22)}_${hexadecimal(40)}`],
  ['linear-key', 'lin_api_', () => letters(40)],
  ['linear-key', 'lin_oauth_', () => hexadecimal(64)],
  ['postman-key', 'PMAK-', () => `${hexadecimal(24)}-${hexadecimal(34)}`],
  ['figma-token', 'figd_', () => urlSafe(40)],
  ['figma-token', 'figu_', () => urlSafe(40)],
  ['figma-token', 'figo_', () => urlSafe(40)],
  ['notion-token', 'ntn_', () => `${digits(11)}${letters(35)}`],
  ['airtable-token', 'pat', () => `${letters(14)}.${hexadecimal(64)}`],
  ['hubspot-token', 'pat-na1-', uuid],
  ['hubspot-token', 'pat-na2-', uuid],
  ['hubspot-token', 'pat-eu1-', uuid],
  ['hubspot-token', 'pat-ap1-', uuid],
  ['contentful-token', 'CFPAT-', () => urlSafe(43)],
  ['sentry-token', 'sntrys_', () => `eyJ${base64(120)}=_${base64(43)}`],
  ['sentry-token', 'sntryu_', () => hexadecimal(64)],
  ['grafana-token', 'glsa_', () => `${letters(32)}_${hexadecimal(8)}`],
  ['grafana-token', 'glc_', () => `eyJ${base64(140)}==`],
  ['new-relic-key', 'NRAK-', () => upper(27)],
  ['dynatrace-token', 'dt0c01.', () => `${upper(24)}.${upper(64)}`],
  ['dynatrace-token', 'dt0s01.', () => `${upper(24)}.${upper(64)}`],
  ['posthog-key', 'phx_', () => letters(43)],
  ['slack-token', 'xoxa-', () => `2-${digits(12)}-${digits(12)}-${letters(24)}`],
  ['slack-token', 'xoxb-', () => `${digits(12)}-${digits(13)}-${letters(24)}`],
  ['slack-token', 'xoxe-', () => `1-${letters(140)}`],
  ['slack-token', 'xoxo-', () => `${digits(12)}-${letters(24)}`],
  ['slack-token', 'xoxp-', () => `${digits(12)}-${digits(12)}-${digits(13)}-${hexadecimal(32)}`],
  ['slack-token', 'xoxr-', () => `${digits(12)}-${letters(24)}`],
  ['slack-token', 'xoxs-', () => `${digits(12)}-${letters(24)}`],
  ['slack-token', 'xoxe.xoxp-', () => `1-${letters(160)}`],
  ['slack-token', 'xoxe.xoxb-', () => `1-${letters(160)}`],
  ['slack-token', 'xoxc-', () => `${digits(12)}-${digits(12)}-${digits(13)}-${hexadecimal(64)}`],
  ['slack-token', 'xoxd-', () => `${letters(60)}%2B${letters(60)}%3D`],
  ['slack-token', 'xapp-', () => `1-A${upper(10)}-${digits(13)}-${hexadecimal(64)}`],
  ['stripe-key', 'sk_live_', () => letters(99)],
  ['stripe-key', 'sk_test_', () => letters(24)],
  ['stripe-key', 'rk_live_', () => letters(99)],
  ['stripe-key', 'rk_test_', () => letters(24)],
  ['stripe-key', 'sk_org_live_', () => letters(40)],
  ['stripe-key', 'sk_org_test_', () => letters(40)],
  ['stripe-webhook-secret', 'whsec_', () => letters(32)],
  ['square-token', 'EAAA', () => `Ab${urlSafe(58)}`],
  ['pinecone-key', 'pcsk_', () => `${letters(6)}_${letters(63)}`],
  ['context7-key', 'ctx7sk-', uuid],
  ['sonar-token', 'sqp_', () => hexadecimal(40)],
  ['sonar-token', 'squ_', () => hexadecimal(40)],
  ['sonar-token', 'sqa_', () => hexadecimal(40)],
  ['prefect-key', 'pnu_', () => lower(36)],
  ['prefect-key', 'pnb_', () => lower(36)],
  ['clojars-token', 'CLOJARS_', () => hexadecimal(60)],
  ['notion-token', 'secret_', () => `Ab${letters(41)}`],
  ['plaid-token', 'access-production-', uuid],
  ['plaid-token', 'access-sandbox-', uuid],
  ['plaid-token', 'access-development-', uuid],
  ['paypal-token', 'access_token$production$', () => `${lower(16)}$${hexadecimal(32)}`],
  ['square-token', 'sq0atp-', () => urlSafe(22)],
  ['square-token', 'sq0csp-', () => urlSafe(43)],
  ['square-token', 'sq0idp-', () => urlSafe(22)],
  ['shopify-token', 'shpat_', () => hexadecimal(32)],
  ['shopify-token', 'shpca_', () => hexadecimal(32)],
  ['shopify-token', 'shppa_', () => hexadecimal(32)],
  ['shopify-token', 'shpss_', () => hexadecimal(32)],
  ['shopify-token', 'shpua_', () => hexadecimal(32)],
  ['shopify-token', 'shptka_', () => hexadecimal(32)],
  ['twilio-key', 'SK', () => hexadecimal(32)],
  ['sendgrid-key', 'SG.', () => `${urlSafe(22)}.${urlSafe(43)}`],
  ['mailgun-key', 'key-', () => hexadecimal(32)],
  ['brevo-key', 'xkeysib-', () => `${hexadecimal(64)}-${letters(16)}`],
  ['brevo-key', 'xsmtpsib-', () => `${hexadecimal(64)}-${letters(16)}`],
  ['resend-key', 're_', () => `${letters(8)}_${letters(24)}`],
  ['voyage-key', 'pa-', () => `A4${urlSafe(41)}`],
  ['mapbox-token', 'sk.', () => `eyJ${letters(80)}.${urlSafe(22)}`],
  ...['EAAC', 'EAAM', 'EAAG', 'EAAB', 'EAAD'].map((start): readonly [string, string, () => string] => [
    'facebook-token',
    start,
    () => letters(180),
  ]),
]

/** Where keys stand in transcripts; names that give a secret away are tested elsewhere. */
const CONTEXTS = [
  'SECRET',
  'VAR=SECRET',
  'export VAR="SECRET"',
  "const given = 'SECRET'",
  'given: SECRET # yaml',
  'given:\n  - SECRET\n  - other',
  'https://host.example/path?id=1&given=SECRET&more=2',
  'curl -H "X-Given: SECRET" https://host.example',
  'one\nSECRET\ntwo',
  'in words, SECRET, and on',
  'a\tSECRET;',
  '(SECRET)',
]

describe('keys with a recognisable form', () => {
  it.each(SAMPLES)('%s: %s…', (kind, start, rest) => {
    for (const position of CONTEXTS) {
      const secret = start + rest()
      const text = position.replace('SECRET', secret)
      const expected = position.replace('SECRET', `[redacted:${kind}]`)
      expect(redact(text)).toEqual({ text: expected, count: 1 })
      const line = redact(JSON.stringify({ text }))
      expect(JSON.parse(line.text)).toEqual({ text: expected })
      const outer = redact(JSON.stringify({ arguments: JSON.stringify({ text }) }))
      const nested = JSON.parse(outer.text) as { readonly arguments: string }
      expect(JSON.parse(nested.arguments)).toEqual({ text: expected })
      for (const once of [expected, line.text, outer.text]) expect(redact(once)).toEqual({ text: once, count: 0 })
    }
  })

  it.each([36, 40])('leaves a placeholder of the right length unchanged (%d)', (length) => {
    for (const text of [`token: gh${'p_'}${'x'.repeat(length)}`, `gh${'p_'}${'X'.repeat(length)}`])
      expect(redact(text)).toEqual({ text, count: 0 })
  })

  it('has a sample of every prefix in the table', () => {
    const sampled = new Set(SAMPLES.map(([kind, start]) => `${kind} ${start}`))
    const all = new Set(KEY_FORMS.flatMap(({ kind, starts }) => starts.map((start) => `${kind} ${start}`)))
    expect([...all].filter((each) => !sampled.has(each))).toEqual([])
    expect([...sampled].filter((each) => !all.has(each))).toEqual([])
  })

  it.each(SAMPLES)('leaves text about %s unchanged: %s', (_kind, start) => {
    for (const text of [start, `${start}...`, `${start}xxxx`, `${start}<key>`, `a ${start} key`, `my${start}name`])
      expect(redact(text)).toEqual({ text, count: 0 })
  })
})

describe('docs/privacy.md', () => {
  it('lists exactly the kinds of the table, with the same titles', () => {
    const page = readFileSync(new URL('../../../../docs/privacy.md', import.meta.url), 'utf8')
    const listed = [...page.matchAll(/^\| `([a-z0-9-]+)` +\| (.+?) +\|$/gm)].map(([, kind, title]) => ({ kind, title }))
    const keys = [...new Map(KEY_FORMS.map(({ kind, title }) => [kind, title]))].map(([kind, title]) => ({
      kind,
      title,
    }))
    expect(listed.slice(0, keys.length)).toEqual(keys)
    const others = [...BLOCK_PATTERNS, ...CONTEXT_PATTERNS].map(({ kind }) => kind)
    expect(new Set(listed.slice(keys.length).map(({ kind }) => kind))).toEqual(
      new Set([...others, ENCODED_KIND, ...ASSIGNED_KINDS].filter((kind) => !keys.some((key) => key.kind === kind))),
    )
  })
})
