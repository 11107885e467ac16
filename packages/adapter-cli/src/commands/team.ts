/** `cairn team`: roles in a team's store. */
import type { CommonOptions, Context, Define } from '../command.ts'
import { someText } from '../options/option-values.ts'

/** The options of `team init-roles`. */
interface RolesOptions extends CommonOptions {
  readonly developer: readonly string[]
  readonly lead: readonly string[]
  readonly admin: readonly string[]
}

const HELP = `
Only prints SQL, without connecting to anything. Whoever runs the server reads
it and runs it as the owner of the tables. It can be run again, and must be
after an update of Cairn that changed tables. docs/team.md

  developer  sends, changes and withdraws data of their own machines; reads what
             is shared
  lead       reads figures but no text: usage, insights, session list
  admin      everything except changing tables

Examples:
  cairn team init-roles
  cairn team init-roles --developer ada --developer bo --lead lea
  cairn team init-roles --lead lea | psql "$TEAM_OWNER_URL"`

/** Returns the names given so far with another one. */
const several = (name: string, former: readonly string[]): readonly string[] => [...former, name]

/** Declares `cairn team`: description, options, help and action. */
export const define: Define = (command, context) => {
  command.description("Set up who may do what in a team's store.").addHelpText('after', HELP)
  const given =
    (option: string) =>
    (name: string, former: readonly string[]): readonly string[] =>
      several(someText(option, "a PostgreSQL user's name")(name), former)
  command
    .command('init-roles')
    .description("Print the SQL that sets up the roles of a team's store.")
    .option('--developer <user>', 'a PostgreSQL user with this role (repeatable)', given('--developer'), [])
    .option('--lead <user>', 'a PostgreSQL user with this role (repeatable)', given('--lead'), [])
    .option('--admin <user>', 'a PostgreSQL user with this role (repeatable)', given('--admin'), [])
    .addHelpText('after', HELP)
    .action((options: RolesOptions) => runInitRoles(options, context))
}

/** Prints the SQL that sets up the roles: `{sql}` as JSON. */
const runInitRoles = async ({ developer, lead, admin, json }: RolesOptions, context: Context): Promise<void> => {
  const { teamRolesSql } = await import('@cairn/storage-prisma')
  const sql = teamRolesSql({ developers: developer, leads: lead, admins: admin })
  if (json === true) return context.json({ sql })
  await context.terminal.write(sql)
}
