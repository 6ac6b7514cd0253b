-- How busy the server is, in figures that name nobody. The application role itself may not look at other roles' connections.
create function platform.server_load(out used integer, out max integer, out oldest_transaction_seconds double precision,
  out replication_lag_seconds double precision)
language sql stable security definer set search_path = '' as $$
  select
    (select count(*)::integer from pg_catalog.pg_stat_activity where backend_type = 'client backend'),
    pg_catalog.current_setting('max_connections')::integer,
    (select extract(epoch from max(pg_catalog.clock_timestamp() - xact_start))::double precision
     from pg_catalog.pg_stat_activity
     where backend_type = 'client backend' and datname = pg_catalog.current_database() and pid <> pg_catalog.pg_backend_pid()),
    case when pg_catalog.pg_is_in_recovery()
      then extract(epoch from pg_catalog.clock_timestamp() - pg_catalog.pg_last_xact_replay_timestamp())::double precision
      else (select extract(epoch from max(replay_lag))::double precision from pg_catalog.pg_stat_replication)
    end
$$;
grant execute on function platform.server_load() to app;
