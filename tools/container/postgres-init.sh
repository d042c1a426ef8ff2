#!/bin/bash
# Runs once, in a new database: a role of the service's own. It is no superuser, whom row-level security would not bind.
set -euo pipefail
url=$(cat /run/secrets/database_url)
password=$(printf '%s' "$url" | sed -E 's#^postgres(ql)?://afterword:([^@]*)@.*$#\2#')
psql -v ON_ERROR_STOP=1 -v password="$password" --username postgres <<'SQL'
create role afterword login nosuperuser nocreatedb nocreaterole nobypassrls password :'password';
create database afterword owner afterword;
SQL
