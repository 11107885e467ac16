/**
 * Keys and tokens that have a form of their own: one row for each, from what the providers publish. A new kind
 * is a row here, a sample in `key-forms.test.ts`, and a row of the table in `docs/privacy.md`.
 */
export interface KeyForm {
  /** Names the placeholder. */
  readonly kind: string
  /** Whose it is, as the documentation says it. */
  readonly title: string
  /**
   * What it begins with, literally: texts without it are never looked at with the expression. Best is one that has a mark or a
   * rare letter (`SIGNS`); others are found only where 32 letters and digits follow each other in the key.
   */
  readonly starts: readonly string[]
  /** What follows, as an expression. One class of characters without an upper limit is the rule. */
  readonly rest: string
}

/** A form of keys. `starts`: its beginnings, with spaces between; `rest`: the pattern of what follows. */
const form = (kind: string, title: string, starts: string, rest: string): KeyForm => ({
  kind,
  title,
  starts: starts.split(' '),
  rest,
})

const WORD = '[A-Za-z0-9]'
const WORDS = '[A-Za-z0-9_-]'
const HEX = '[0-9a-f]'
const BASE64 = '[A-Za-z0-9+/]'
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** In the order in which they are tried; of two that begin alike, the more specific first. */
export const KEY_FORMS: readonly KeyForm[] = [
  // Language models and what is near them.
  form('anthropic-key', 'Anthropic', 'sk-ant-', `(?:[a-z0-9]+-)?${WORDS}{24,}`),
  form('openai-key', 'OpenAI and others that use `sk-`', 'sk-proj- sk-svcacct- sk-admin-', `${WORDS}{24,}`),
  form('openrouter-key', 'OpenRouter', 'sk-or-v1-', `${HEX}{64}`),
  form('langfuse-key', 'Langfuse', 'sk-lf-', UUID),
  // No dashes, and digits among the letters: not a name in kebab case.
  form(
    'openai-key',
    'OpenAI and others that use `sk-`',
    'sk-',
    `(?=[A-Za-z]{0,60}[0-9])(?=[A-Za-z0-9]{0,60}[A-Za-z])${WORD}{32,}`,
  ),
  form('elevenlabs-key', 'ElevenLabs', 'sk_', `${HEX}{48}`),
  form('groq-key', 'Groq', 'gsk_', `${WORD}{40,}`),
  form('xai-key', 'xAI', 'xai-', `${WORDS}{60,}`),
  form('nvidia-key', 'NVIDIA', 'nvapi-', `${WORDS}{50,}`),
  form('perplexity-key', 'Perplexity', 'pplx-', `${WORD}{40,}`),
  form('cerebras-key', 'Cerebras', 'csk-', `(?=[a-z]{0,60}[0-9])${WORD}{40,}`),
  form('fireworks-key', 'Fireworks', 'fw_', `(?=[A-Za-z]{0,60}[0-9])${WORD}{22,}`),
  form('together-key', 'Together', 'tgp_v1_', `${WORDS}{40,}`),
  form('replicate-token', 'Replicate', 'r8_', `${WORD}{37}`),
  form('hugging-face-token', 'Hugging Face', 'hf_ api_org_', `${WORD}{30,}`),
  form('langsmith-key', 'LangSmith', 'lsv2_pt_ lsv2_sk_', `${HEX}{32}_${HEX}{10}`),
  form('jina-key', 'Jina', 'jina_', `(?=[A-Za-z_-]{0,60}[0-9])${WORDS}{50,}`),
  form('tavily-key', 'Tavily', 'tvly-', `(?:[a-z]{2,5}-)?(?=[A-Za-z-]{0,60}[0-9])${WORDS}{28,}`),
  form('firecrawl-key', 'Firecrawl', 'fc-', `${HEX}{32}`),
  form('pinecone-key', 'Pinecone', 'pcsk_', `${WORD}{4,8}_${WORD}{50,}`),
  form(
    'voyage-key',
    'Voyage',
    'pa-',
    `(?=[a-z_-]{0,40}[A-Z0-9])(?=[^0-9]{0,40}[0-9])(?=[^A-Z]{0,40}[A-Z])${WORDS}{43}`,
  ),
  form('context7-key', 'Context7', 'ctx7sk-', UUID),
  form('e2b-key', 'E2B', 'e2b_', `${HEX}{40}`),
  // Clouds and hosting.
  form('aws-access-key', 'AWS access key id', 'AKIA ASIA ABIA ACCA', '[A-Z0-9]{16}'),
  form(
    'aws-session-token',
    'AWS session token',
    'IQoJb3JpZ2luX2Vj FwoGZXIvYXdzE FQoGZXIvYXdzE FQoDYXdzE',
    '[A-Za-z0-9+/%]{80,}={0,2}',
  ),
  form('alibaba-access-key', 'Alibaba Cloud access key id', 'LTAI', `(?=[A-Za-z]{0,60}[0-9])${WORD}{16,20}`),
  form('google-api-key', 'Google API key', 'AIza', `${WORDS}{35}`),
  form('google-oauth-token', 'Google access token', 'ya29.', `${WORDS}{20,}`),
  form('google-oauth-secret', 'Google client secret', 'GOCSPX-', `${WORDS}{28}`),
  form('google-refresh-token', 'Google refresh token', '1//0', `${WORDS}{40,}`),
  form('digitalocean-token', 'DigitalOcean', 'dop_v1_ doo_v1_ dor_v1_', `${HEX}{64}`),
  form('cloudflare-token', 'Cloudflare', 'cfk_ cfut_ cfat_', `${WORD}{40,}`),
  form('heroku-key', 'Heroku', 'HRKU-', `${WORDS}{36,}`),
  form('vercel-token', 'Vercel', 'vcp_ vci_ vca_ vcr_ vck_', `(?=[A-Za-z]{0,60}[0-9])${WORD}{20,}`),
  form('netlify-token', 'Netlify', 'nfp_', `${WORD}{36,}`),
  form('render-key', 'Render', 'rnd_', `(?=[A-Za-z]{0,60}[0-9])${WORD}{28,}`),
  form('fly-token', 'Fly.io', 'fo1_ fm1_ fm2_ fm1r_ fm1a_', '[A-Za-z0-9+/=_-]{40,}'),
  form('databricks-token', 'Databricks', 'dapi', `${HEX}{32}(?:-[0-9])?`),
  form('tailscale-key', 'Tailscale', 'tskey-', `(?:[a-z]{2,20}-)?${WORD}{6,}-${WORD}{16,}`),
  form('vault-token', 'HashiCorp Vault', 'hvs. hvb. hvr.', `${WORDS}{20,}`),
  form('terraform-token', 'Terraform Cloud', 'atlasv1.', `${WORDS}{60,}`),
  form('pulumi-token', 'Pulumi', 'pul-', `${HEX}{40}`),
  form(
    'doppler-token',
    'Doppler',
    'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.',
    `(?:[a-z0-9_-]{2,35}\\.)?${WORD}{40,}`,
  ),
  form('onepassword-token', '1Password', 'ops_', `eyJ${BASE64}{100,}={0,2}`),
  form('age-key', 'age', 'AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1', '[0-9A-Z]{50,}'),
  // Databases.
  form('supabase-token', 'Supabase', 'sbp_', `(?:oauth_|v0_)?${HEX}{40}`),
  form('supabase-token', 'Supabase', 'sb_secret_', `${WORDS}{20,}`),
  form('planetscale-token', 'PlanetScale', 'pscale_pw_ pscale_tkn_ pscale_oauth_', '[A-Za-z0-9_.=-]{32,}'),
  form('neon-key', 'Neon', 'napi_', `(?=[a-z]{0,60}[0-9])${WORD}{40,}`),
  // Source code, packages, continuous integration.
  form('github-token', 'GitHub', 'ghs_', `[0-9]{1,20}_${WORDS}{8,}\\.${WORDS}{8,}\\.${WORDS}{16,}`),
  form('github-token', 'GitHub', 'ghp_ gho_ ghu_ ghs_ ghr_', `${WORD}{36,}`),
  form('github-token', 'GitHub', 'github_pat_', `${WORD}{22}_${WORD}{59}`),
  form(
    'gitlab-token',
    'GitLab',
    'glpat- glptt- gldt- glrt- glrtr- glcbt- glsoat- gloas- glft- glimt- glagent- glffct-',
    `${WORDS}{20,}(?:\\.[0-9a-z]{2}\\.[0-9a-z]{9})?`,
  ),
  form('bitbucket-token', 'Bitbucket', 'ATBB', `(?=[A-Za-z]{0,60}[0-9])${WORD}{32,}`),
  form('atlassian-token', 'Atlassian', 'ATATT3x ATCTT3x ATSTT3x', '[A-Za-z0-9_=-]{60,}'),
  form('npm-token', 'npm', 'npm_', `${WORD}{36}`),
  form('pypi-token', 'PyPI', 'pypi-AgE', `${WORDS}{50,}`),
  form('rubygems-key', 'RubyGems', 'rubygems_', `${HEX}{48}`),
  form('nuget-key', 'NuGet', 'oy2', '(?=[a-z]{0,60}[0-9])[a-z0-9]{43}'),
  form('docker-token', 'Docker', 'dckr_pat_ dckr_oat_', `${WORDS}{20,}`),
  form('sonar-token', 'SonarQube', 'sqp_ squ_ sqa_', `${HEX}{40}`),
  form('prefect-key', 'Prefect', 'pnu_ pnb_', '(?=[a-z]{0,60}[0-9])[a-z0-9]{36}'),
  form('clojars-token', 'Clojars', 'CLOJARS_', `${HEX}{60}`),
  form('sourcegraph-token', 'Sourcegraph', 'sgp_', `(?:(?:${HEX}{16}|local)_)?${HEX}{40}`),
  form('buildkite-token', 'Buildkite', 'bkua_', `${HEX}{40}`),
  form('circleci-token', 'CircleCI', 'CCIPAT_ CCIPRJ_', `${WORD}{20,}_${HEX}{40}`),
  form('linear-key', 'Linear', 'lin_api_ lin_oauth_', `${WORD}{32,}`),
  form('postman-key', 'Postman', 'PMAK-', `${HEX}{24}-${HEX}{34}`),
  form('figma-token', 'Figma', 'figd_ figu_ figo_', `${WORDS}{36,}`),
  form('notion-token', 'Notion', 'ntn_', `${WORD}{40,}`),
  form('notion-token', 'Notion', 'secret_', `(?=[A-Za-z]{0,40}[0-9])(?=[^A-Z]{0,40}[A-Z])${WORD}{43}`),
  form('airtable-token', 'Airtable', 'pat', `${WORD}{14}\\.${HEX}{64}`),
  form('hubspot-token', 'HubSpot', 'pat-na1- pat-na2- pat-eu1- pat-ap1-', UUID),
  form('mapbox-token', 'Mapbox', 'sk.', `eyJ${WORDS}{40,}\\.${WORDS}{20,}`),
  form('contentful-token', 'Contentful', 'CFPAT-', `${WORDS}{43}`),
  // Watching what runs.
  form('sentry-token', 'Sentry', 'sntrys_', `eyJ${BASE64}{40,}={0,2}_${BASE64}{40,}`),
  form('sentry-token', 'Sentry', 'sntryu_', `${HEX}{64}`),
  form('grafana-token', 'Grafana', 'glsa_', `${WORD}{32}_[0-9A-Fa-f]{8}`),
  form('grafana-token', 'Grafana', 'glc_', `${BASE64}{32,}={0,2}`),
  form('new-relic-key', 'New Relic', 'NRAK-', '[A-Z0-9]{27}'),
  form('dynatrace-token', 'Dynatrace', 'dt0c01. dt0s01.', '[A-Z0-9]{24}\\.[A-Z0-9]{64}'),
  form('posthog-key', 'PostHog', 'phx_', `${WORD}{40,}`),
  // Messages, shops, payments.
  form('slack-token', 'Slack', 'xoxe.xoxp- xoxe.xoxb- xoxc- xoxd-', '[A-Za-z0-9%-]{40,}'),
  form('slack-token', 'Slack', 'xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs-', `(?:${WORD}+-){1,6}${WORD}{8,}`),
  form('slack-token', 'Slack', 'xapp-', '[0-9]-[A-Z0-9]+-[0-9]+-[A-Za-z0-9]+'),
  form('stripe-key', 'Stripe', 'sk_live_ sk_test_ rk_live_ rk_test_ sk_org_live_ sk_org_test_', `${WORD}{20,}`),
  form('stripe-webhook-secret', 'Stripe webhook', 'whsec_', '[A-Za-z0-9+/]{32,}={0,2}'),
  form('square-token', 'Square', 'sq0atp- sq0csp- sq0idp-', `${WORDS}{22,}`),
  form(
    'square-token',
    'Square',
    'EAAA',
    `(?=[A-Za-z_-]{0,60}[0-9])(?=[^A-Z]{0,60}[A-Z])(?=[^a-z]{0,60}[a-z])${WORDS}{60}(?![-+/=])`,
  ),
  form('facebook-token', 'Facebook', 'EAAC EAAM EAAG EAAB EAAD', `(?=[A-Za-z]{0,60}[0-9])${WORD}{90,}`),
  form('shopify-token', 'Shopify', 'shpat_ shpca_ shppa_ shpss_ shpua_ shptka_', '[0-9a-fA-F]{32}'),
  form('plaid-token', 'Plaid', 'access-production- access-sandbox- access-development-', UUID),
  form('paypal-token', 'PayPal and Braintree', 'access_token$production$', `[0-9a-z]{16}\\$${HEX}{32}`),
  form('twilio-key', 'Twilio', 'SK', `${HEX}{32}`),
  form('sendgrid-key', 'SendGrid', 'SG.', `${WORDS}{16,32}\\.${WORDS}{32,64}`),
  form('mailgun-key', 'Mailgun', 'key-', `${HEX}{32}`),
  form('brevo-key', 'Brevo', 'xkeysib- xsmtpsib-', `${HEX}{64}-${WORD}{16}`),
  form('resend-key', 'Resend', 're_', `${WORD}{8}_${WORD}{24}`),
]
