#!/bin/sh
# Run once, when the server's data is made: the user by whom PgBouncer asks for the password hash of whoever logs in, so that
# no list of passwords has to be kept beside it, and everybody stays who they are for row-level security.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$CAIRN_POOLER_PASSWORD" --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
CREATE ROLE pgbouncer LOGIN PASSWORD :'password';
CREATE SCHEMA pgbouncer AUTHORIZATION CURRENT_USER;
CREATE FUNCTION pgbouncer.user_lookup(wanted text) RETURNS TABLE (usename text, passwd text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT rolname::text, rolpassword FROM pg_authid WHERE rolname = wanted AND rolcanlogin
$$;
REVOKE ALL ON FUNCTION pgbouncer.user_lookup(text) FROM PUBLIC;
GRANT USAGE ON SCHEMA pgbouncer TO pgbouncer;
GRANT EXECUTE ON FUNCTION pgbouncer.user_lookup(text) TO pgbouncer;
SQL
