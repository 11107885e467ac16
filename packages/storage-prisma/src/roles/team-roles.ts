/**
 * SQL that sets up the roles of a team's store on PostgreSQL, for whoever runs the server. It may be run again, and has to
 * be after an update of Cairn that changes tables.
 *
 * `cairn_developer` writes and deletes the rows of their own machines, and reads what is shared. `cairn_lead` sees figures
 * only, through views of the schema `cairn_figures` that hold no text. `cairn_admin` does everything but change tables.
 */
import { CairnError } from '@cairn/core'
import { tables } from '../sql/schema.ts'
import { LOCKED_ROWS, NAME_COLUMNS, OWN_ROWS, READ_BY_DEVELOPERS, SUM_TABLES, figuresOf } from './role-tables.ts'
import { sumTriggers } from './sum-triggers.ts'

export interface TeamRoles {
  /** Where the tables are; default `public`. */
  readonly schema?: string
  /** Users of the server who are given a role. They must be there. */
  readonly developers?: readonly string[]
  readonly leads?: readonly string[]
  readonly admins?: readonly string[]
}

const ROLES = ['cairn_developer', 'cairn_lead', 'cairn_admin'] as const
type TeamRole = (typeof ROLES)[number]
const FIGURES_SCHEMA = 'cairn_figures'
const MIGRATIONS = '_prisma_migrations'
const ALL_TABLES = Object.values(tables).map(({ name }) => name)
/** PostgreSQL cuts longer names off. */
const LONGEST_NAME = 63

/**
 * A name as an identifier of SQL. Throws `usage` for one that PostgreSQL would not take as it is. In double quotes;
 * those in the name are doubled.
 */
const identifier = (name: string): string => {
  if (name === '' || name.includes('\0') || Buffer.byteLength(name) > LONGEST_NAME)
    throw new CairnError(
      'usage',
      `'${name}' can't be the name of a PostgreSQL user: it has 1 to ${LONGEST_NAME} bytes.`,
    )
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * The script, one transaction: roles, their rights and rows, triggers, a lead's views, and the role of each user named;
 * others keep theirs. Throws `usage` for a name that can't be one, for a user with two roles, and for one that is called as
 * a role.
 */
export const teamRolesSql = ({ schema = 'public', ...given }: TeamRoles = {}): string => {
  const inSchema = identifier(schema)
  return `${[
    'BEGIN;',
    `SET LOCAL search_path = ${inSchema}, pg_temp;`,
    roles,
    access(inSchema),
    ownership(inSchema),
    policies(),
    sumTriggers(inSchema),
    personGuard(inSchema),
    figures(inSchema),
    members(rolesOf(given)),
    'COMMIT;',
  ].join('\n\n')}\n`
}

const roles = `-- Roles that nobody logs in as; users are members of one.
${ROLES.map(
  (role) => `DO $cairn$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role} NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $cairn$;`,
).join('\n')}`

/** SQL that says what each role may do with tables at all; rows are up to the policies. */
const access = (schema: string): string =>
  [
    '-- Nothing but what follows.',
    `REVOKE CREATE ON SCHEMA ${schema} FROM PUBLIC;`,
    `REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM PUBLIC, ${ROLES.join(', ')};`,
    `REVOKE ALL ON ALL SEQUENCES IN SCHEMA ${schema} FROM PUBLIC, ${ROLES.join(', ')};`,
    `GRANT USAGE ON SCHEMA ${schema} TO cairn_developer, cairn_admin;`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO cairn_admin;`,
    `GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA ${schema} TO cairn_admin;`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO cairn_developer;`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO cairn_developer;`,
    ...OWN_ROWS.map(({ table, commands }) => `GRANT ${commands.join(', ')} ON "${table}" TO cairn_developer;`),
    ...SUM_TABLES.map((table) => `GRANT INSERT, UPDATE, DELETE ON "${table}" TO cairn_developer;`),
    ...LOCKED_ROWS.map(({ table, column }) => `GRANT UPDATE ("${column}") ON "${table}" TO cairn_developer;`),
    ...NAME_COLUMNS.map(
      ({ table, columns }) =>
        `GRANT INSERT (${columns.map((column) => `"${column}"`).join(', ')}) ON "${table}" TO cairn_developer;`,
    ),
    `GRANT UPDATE (remote) ON workspace TO cairn_developer;`,
    `GRANT INSERT ON deleted_session TO cairn_developer;`,
  ].join('\n')

/**
 * SQL of the functions that tell what belongs to whom. A machine belongs to the user who sent its first figures;
 * `session_user` stays the same whatever role they take.
 */
const ownership = (schema: string): string => {
  const owns = (name: string, parameter: string, condition: string): string =>
    `CREATE OR REPLACE FUNCTION ${name}(wanted ${parameter}) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $cairn$ ${condition} $cairn$;
REVOKE ALL ON FUNCTION ${name}(${parameter}) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ${name}(${parameter}) TO cairn_developer, cairn_admin;`
  const own = 'machine.owner = session_user'
  const ofSession = `FROM session JOIN machine ON machine.id = session.machine_id`
  return [
    '-- What belongs to whom.',
    'ALTER TABLE machine ALTER COLUMN owner SET DEFAULT session_user;',
    owns('cairn_owns_machine', 'integer', `SELECT EXISTS (SELECT 1 FROM machine WHERE machine.id = wanted AND ${own})`),
    owns('cairn_owns_session', 'integer', `SELECT EXISTS (SELECT 1 ${ofSession} WHERE session.id = wanted AND ${own})`),
    owns(
      'cairn_owns_scope',
      'text',
      `SELECT EXISTS (SELECT 1 ${ofSession} WHERE 'session:' || session."key" = wanted AND ${own})`,
    ),
    owns(
      'cairn_owns_workspace',
      'integer',
      `SELECT NOT EXISTS (SELECT 1 FROM session LEFT JOIN machine ON machine.id = session.machine_id
        WHERE session.workspace_id = wanted AND machine.owner IS DISTINCT FROM session_user)`,
    ),
    // A session that nobody has yet may be kept out before it comes.
    owns(
      'cairn_may_withdraw',
      'text',
      `SELECT NOT EXISTS (SELECT 1 FROM session LEFT JOIN machine ON machine.id = session.machine_id
        WHERE session."key" = wanted AND machine.owner IS DISTINCT FROM session_user)`,
    ),
  ].join('\n')
}

/** SQL that says which rows each role may see and write; it may be run again. */
const policies = (): string => {
  const policy = (table: string, name: string, text: string): string =>
    `DROP POLICY IF EXISTS ${name} ON "${table}";\nCREATE POLICY ${name} ON "${table}" ${text};`
  const written = (own: string, command: string): string =>
    command === 'INSERT'
      ? `WITH CHECK (${own})`
      : command === 'UPDATE'
        ? `USING (${own}) WITH CHECK (${own})`
        : `USING (${own})`
  return [
    '-- Which rows.',
    ...[...ALL_TABLES, MIGRATIONS].flatMap((table) => [
      `ALTER TABLE "${table}" ENABLE ROW LEVEL SECURITY;`,
      policy(table, 'cairn_admin_all', 'FOR ALL TO cairn_admin USING (TRUE) WITH CHECK (TRUE)'),
    ]),
    ...[...READ_BY_DEVELOPERS, MIGRATIONS].map((table) =>
      policy(table, 'cairn_read', 'FOR SELECT TO cairn_developer USING (TRUE)'),
    ),
    // To be deleted, a row has to be seen.
    ...[tables.state.name, tables.stateScope.name].map((table) =>
      policy(table, 'cairn_read', 'FOR SELECT TO cairn_developer USING (cairn_owns_scope(scope))'),
    ),
    ...OWN_ROWS.flatMap(({ table, own, commands }) =>
      commands.map((command) =>
        policy(
          table,
          `cairn_own_${command.toLowerCase()}`,
          `FOR ${command} TO cairn_developer ${written(own, command)}`,
        ),
      ),
    ),
    ...LOCKED_ROWS.map(({ table, rows }) =>
      policy(table, 'cairn_lock', `FOR UPDATE TO cairn_developer USING (${rows}) WITH CHECK (FALSE)`),
    ),
    ...NAME_COLUMNS.map(({ table }) => policy(table, 'cairn_add', 'FOR INSERT TO cairn_developer WITH CHECK (TRUE)')),
    policy(
      'workspace',
      'cairn_project',
      'FOR UPDATE TO cairn_developer USING (cairn_owns_workspace(id)) WITH CHECK (cairn_owns_workspace(id))',
    ),
    policy('deleted_session', 'cairn_withdraw', 'FOR INSERT TO cairn_developer WITH CHECK (cairn_may_withdraw("key"))'),
  ].join('\n')
}

/** SQL of a trigger, so that nobody sends figures under a name or id that is somebody else's. Admins may. */
const personGuard = (schema: string): string => `-- Nobody takes the name of another person.
CREATE OR REPLACE FUNCTION cairn_guard_person() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $cairn$
BEGIN
  IF EXISTS (SELECT 1 FROM machine WHERE owner IS DISTINCT FROM session_user
      AND (person = NEW.person OR person_key = NEW.person_key OR person_key = NEW.person OR "key" = NEW.person)) THEN
    RAISE EXCEPTION 'this name or id is another person''s in this store' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $cairn$;
REVOKE ALL ON FUNCTION cairn_guard_person() FROM PUBLIC;
DROP TRIGGER IF EXISTS cairn_guard_person ON machine;
CREATE TRIGGER cairn_guard_person BEFORE INSERT OR UPDATE ON machine FOR EACH ROW
  WHEN (row_security_active('machine') AND NOT pg_has_role(current_user, 'cairn_admin', 'USAGE'))
  EXECUTE FUNCTION cairn_guard_person();`

/**
 * SQL of the tables as a lead sees them: views with the same names and columns, without texts, in a schema of its own,
 * which is made anew.
 */
const figures = (schema: string): string =>
  [
    '-- Figures without text, for leads: views with the names of the tables.',
    `DROP SCHEMA IF EXISTS ${FIGURES_SCHEMA} CASCADE;`,
    `CREATE SCHEMA ${FIGURES_SCHEMA};`,
    ...Object.values(tables).map(
      (table) => `CREATE VIEW ${FIGURES_SCHEMA}."${table.name}" AS ${figuresOf(table, schema)};`,
    ),
    `CREATE VIEW ${FIGURES_SCHEMA}."${MIGRATIONS}" AS SELECT * FROM ${schema}."${MIGRATIONS}";`,
    `GRANT USAGE ON SCHEMA ${FIGURES_SCHEMA} TO cairn_lead;`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA ${FIGURES_SCHEMA} TO cairn_lead;`,
  ].join('\n')

/**
 * SQL that gives each user a role, and takes the others from them. Users that are not named keep what they have.
 * `given`: the roles, by user.
 */
const members = (given: ReadonlyMap<string, TeamRole>): string =>
  [
    '-- Who is what. Whoever had another role has it no more.',
    // It would be told of each role that somebody did not have.
    'SET LOCAL client_min_messages = error;',
    ...[...given].map(([name, role]) => `GRANT ${role} TO ${identifier(name)};`),
    ...[...given].flatMap(([name, role]) => [
      `REVOKE ${ROLES.filter((other) => other !== role).join(', ')} FROM ${identifier(name)};`,
      // Where Cairn finds a lead's views by the names of the tables.
      ofDatabase(name, role === 'cairn_lead' ? `SET search_path = ${FIGURES_SCHEMA}` : 'RESET search_path'),
    ]),
  ].join('\n')

/** Changes a setting that a user has in this database. */
const ofDatabase = (name: string, change: string): string =>
  `DO $cairn$ BEGIN EXECUTE format('ALTER ROLE %I IN DATABASE %I ${change}', ${literal(name)}, current_database()); END $cairn$;`

/**
 * Each user's role. Throws `usage` for a user with two, and for one that is called as a role. A name that comes twice
 * in one role counts once.
 */
const rolesOf = ({ developers = [], leads = [], admins = [] }: TeamRoles): ReadonlyMap<string, TeamRole> => {
  const given = new Map<string, TeamRole>()
  const named: readonly (readonly [TeamRole, readonly string[]])[] = [
    ['cairn_developer', developers],
    ['cairn_lead', leads],
    ['cairn_admin', admins],
  ]
  for (const [role, names] of named)
    for (const name of names) {
      const other = given.get(name)
      if (other !== undefined && other !== role)
        throw new CairnError('usage', `'${name}' can't be both ${other} and ${role}: give each user one role.`)
      if (ROLES.some((each) => each === name))
        throw new CairnError('usage', `'${name}' is a role itself: name a user of the server.`)
      given.set(name, role)
    }
  return given
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
