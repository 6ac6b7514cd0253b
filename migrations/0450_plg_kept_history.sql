-- Numbers of days before `counted_on` were copied from the generation before, because their events had been deleted. Events from
-- `counted_from` on are counted; whatever the time zone, earlier ones belong to days before `counted_on`.
alter table plg.states
  add column purged_until timestamptz(3),
  add column counted_on date,
  add column counted_from timestamptz(3),
  add column next_counted_on date,
  add column next_counted_from timestamptz(3),
  -- The table that a rebuild copies, and the key of the last row that it has copied.
  add column copy_step integer,
  add column copied_until jsonb,
  add column switched_at timestamptz,
  -- The highest number of a generation, so that an abandoned one is never used again.
  add column last_generation integer not null default 0,
  add constraint states_counted_complete check ((counted_on is null) = (counted_from is null)
    and (next_counted_on is null) = (next_counted_from is null));

-- Workspaces whose events were deleted before have numbers of more events than they still have.
alter table plg.states no force row level security;
alter table plg.events no force row level security;
alter table plg.event_days no force row level security;
update plg.states state set purged_until = coalesce(first_event.occurred_at, now())
from plg.states stored
left join lateral (
  select occurred_at from plg.events where tenant_id = stored.tenant_id order by occurred_at limit 1
) as first_event on true
where state.tenant_id = stored.tenant_id and (
  select coalesce(sum(events), 0) from plg.event_days counted
  where counted.tenant_id = stored.tenant_id and counted.generation = stored.generation
    and (first_event.occurred_at is null or counted.day <= (first_event.occurred_at at time zone stored.timezone)::date)
) > (
  select count(*) from plg.events kept
  where kept.tenant_id = stored.tenant_id and first_event.occurred_at is not null
    and kept.occurred_at < ((first_event.occurred_at at time zone stored.timezone)::date + 1)::timestamp at time zone stored.timezone
);
alter table plg.event_days force row level security;
alter table plg.events force row level security;
alter table plg.states force row level security;
