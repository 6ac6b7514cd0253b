-- pg-boss makes and keeps its tables itself, as app_system, when `migrate` installs it: see platform/jobs. They hold the jobs
-- of all tenants; app may add a job for the tenant it is in, and read nothing of it but its id.
do $$
begin
  -- Who hands a schema to a role must be a member of it.
  if not pg_has_role(current_user, 'app_system', 'member') then
    execute format('grant app_system to %I', current_user);
  end if;
end $$;

create schema pgboss authorization app_system;
grant usage on schema pgboss to app;
