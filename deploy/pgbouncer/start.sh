#!/bin/sh
# Writes down the one password that PgBouncer needs, that of its own user, and starts it.
set -eu
umask 077
printf '"pgbouncer" "%s"\n' "$CAIRN_POOLER_PASSWORD" >/tmp/users.txt
exec pgbouncer /etc/pgbouncer/pgbouncer.ini
