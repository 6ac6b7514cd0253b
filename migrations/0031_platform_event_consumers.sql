-- The consumers of every process that runs, whatever its version. A relay fans out events to all of them, so a worker of the
-- previous version loses no event of a consumer that it does not know.
create table platform.event_consumers (
  type text not null,
  consumer text not null,
  registered_at timestamptz not null default now(),
  -- Every process with this consumer updates it at its start and every ten minutes.
  seen_at timestamptz not null default now(),
  constraint event_consumers_pkey primary key (type, consumer)
);
grant select on platform.event_consumers to app;
grant select, insert, update, delete on platform.event_consumers to app_system;

-- Marks the oldest unpublished events and returns them with their consumers. One statement reads both: an event that is visible
-- to it was emitted before, and so is the registration of every consumer that was registered before the event was emitted. The
-- planner settings are those of claim_outbox_events, which workers of the previous version call.
create function platform.claim_outbox_deliveries(batch integer)
returns table (id uuid, tenant_id uuid, origin text, consumers text[])
language sql volatile set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off
begin atomic
  with claimed as (
    select e.id from platform.outbox_events e where e.published_at is null order by e.id limit batch for update skip locked
  )
  update platform.outbox_events e set published_at = now()
  where e.published_at is null and e.id = any (array(select c.id from claimed c))
  returning e.id, e.tenant_id, e.origin, array(
    select r.consumer from platform.event_consumers r where r.type = e.type and r.seen_at > now() - interval '1 hour');
end;
grant execute on function platform.claim_outbox_deliveries(integer) to app_system;
