/** `cairn export`: exports recorded data to other programs. */
import { Option } from 'commander'
import { OTLP_PROTOCOLS } from '@cairn/core/node/telemetry-export'
import type { Context, Define } from '../command.ts'
import { collecting, httpAddress, oneOf, someText } from '../options/option-values.ts'
import { refuseRepeated } from '../options/repeated-options.ts'
import type { ExportOptions } from './export-otel.ts'

const HELP = `
Examples:
  cairn export otel --endpoint http://127.0.0.1:4318
  cairn export otel --dry-run`

const OTEL_HELP = `
One trace per turn, following the conventions for generative AI: the agent, each
request with tokens and cost, each tool call; and histograms of tokens and
durations. Sends figures, names of models, agents and tools, and ids, but no
text unless you add --content, and then with known kinds of secrets replaced.
Run it as often as you like: what a collector accepted is not sent again, and
ids stay the same. OTEL_EXPORTER_OTLP_ENDPOINT, _HEADERS, _PROTOCOL and the like
apply where no option is given. docs/telemetry.md

Examples:
  cairn export otel --endpoint http://127.0.0.1:4318
  cairn export otel --endpoint https://otlp.example.com --header "api-key=..."
  cairn export otel --endpoint http://127.0.0.1:4318 --since 7d --project shop
  cairn export otel --dry-run --json         every span; sends nothing`

/** Declares `cairn export` and its subcommands. */
export const define: Define = (command, context) => {
  command.description('Send recorded data to other programs.').addHelpText('after', HELP)
  defineOtel(command, context)
  refuseRepeated(command)
}

/** Declares `export otel`. */
const defineOtel = (command: Parameters<Define>[0], context: Context): void => {
  command
    .command('otel')
    .description('Send recorded requests to a collector as traces and metrics (OTLP over HTTP).')
    .option('--endpoint <url>', "the collector's address, without v1/traces", httpAddress('--endpoint'))
    .option(
      '--header <name=value>',
      'send this header with each export (repeatable)',
      collecting(someText('--header', 'a name and a value: api-key=…')),
    )
    .addOption(
      new Option('--protocol <name>', 'http/protobuf (default) or http/json').argParser(
        oneOf('--protocol', OTLP_PROTOCOLS),
      ),
    )
    .option('--session <id>', 'only this session', someText('--session', "a session's id, or the beginning of it"))
    .option('--since <time>', 'only requests from this time on: a date, 7d, 24h, …')
    .option(
      '--project <name>',
      'only this project, with all its folders',
      someText('--project', "a project's name or folder"),
    )
    .option('--content', 'include the text, with known kinds of secrets replaced')
    .option('--names', 'include names of project folders and branches')
    .option('--all', 'send everything again, with the same ids')
    .option('--dry-run', 'only show what would be sent')
    .addHelpText('after', OTEL_HELP)
    .action(async (options: ExportOptions) => (await import('./export-otel.ts')).runExport(options, context))
}
