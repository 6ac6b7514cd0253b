-- What happened, announced in the transaction that made it happen. The relay hands each event to its consumers and marks it
-- published; a day's events are dropped a week later, and never while one of them is unpublished.
create table platform.outbox_events (
  tenant_id uuid not null,
  id uuid not null,
  type text not null constraint outbox_events_type_named check (type ~ '^[a-z_]+\.[a-z_]+$'),
  subject_type text not null,
  subject_id text not null,
  subject_version integer,
  actor jsonb not null,
  origin text not null constraint outbox_events_origin_known check (origin in ('api', 'job', 'sample', 'import', 'system')),
  data jsonb not null,
  occurred_at timestamptz not null default now(),
  published_at timestamptz,
  primary key (tenant_id, id)
) partition by range (id);

-- The relay's list of what is left to do; a published event drops out of it.
create index outbox_events_unpublished on platform.outbox_events (id) where published_at is null;

call platform.isolate_by_tenant('platform.outbox_events');
call platform.open_to_system('platform.outbox_events');
call platform.partition_by_id('platform.outbox_events', 'day', 3, 'published_at is null');

-- Marks the oldest unpublished events and returns them; those another relay holds are skipped. How many are unpublished
-- changes too fast for the planner's statistics, so it is told to walk the index instead of sorting them all.
create function platform.claim_outbox_events(batch integer)
returns table (id uuid, tenant_id uuid, type text, origin text)
language sql volatile set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off
begin atomic
  with claimed as (
    select e.id from platform.outbox_events e where e.published_at is null order by e.id limit batch for update skip locked
  )
  update platform.outbox_events e set published_at = now()
  where e.published_at is null and e.id = any (array(select c.id from claimed c))
  returning e.id, e.tenant_id, e.type, e.origin;
end;
grant execute on function platform.claim_outbox_events(integer) to app_system;

-- A fact stays as it was told. Only its data may be blanked, when the person it is about is erased.
revoke update, delete on platform.outbox_events from app;
grant update (data) on platform.outbox_events to app;

-- A consumer's effect and its receipt commit together, so an event that is delivered twice has one effect.
create table platform.event_receipts (
  tenant_id uuid not null,
  consumer text not null,
  event_id uuid not null,
  received_at timestamptz not null default now(),
  primary key (tenant_id, consumer, event_id)
) partition by range (event_id);

call platform.isolate_by_tenant('platform.event_receipts');
call platform.open_to_system('platform.event_receipts');
call platform.partition_by_id('platform.event_receipts', 'day', 3, 'false');
revoke update, delete on platform.event_receipts from app;
