-- An opt-in consumer gets only the events of the tenants in platform.event_consumer_tenants; relays create no jobs for the others.
alter table platform.event_consumers add column is_opt_in boolean not null default false;

create table platform.event_consumer_tenants (
  tenant_id uuid not null,
  consumer text not null,
  constraint event_consumer_tenants_pkey primary key (tenant_id, consumer)
);
call platform.isolate_by_tenant('platform.event_consumer_tenants');
call platform.open_to_system('platform.event_consumer_tenants');

-- Has the same signature as before, so that relays of the previous version respect opt-in consumers too.
create or replace function platform.claim_event_deliveries(batch integer)
returns table (id uuid, tenant_id uuid, origin text, trace jsonb, consumers text[])
language sql volatile set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off
begin atomic
  with claimed as (
    select e.id from platform.outbox_events e where e.published_at is null order by e.id limit batch for update skip locked
  )
  update platform.outbox_events e set published_at = now()
  where e.published_at is null and e.id = any (array(select c.id from claimed c))
  returning e.id, e.tenant_id, e.origin, e.trace, array(
    select r.consumer from platform.event_consumers r
    where r.type = e.type and r.seen_at > now() - interval '1 hour'
      and (not r.is_opt_in or exists (
        select from platform.event_consumer_tenants t where t.tenant_id = e.tenant_id and t.consumer = r.consumer)));
end;

-- Also finds the events of deliveries to a consumer that takes several at once.
create or replace function platform.list_undelivered_event_ids() returns setof uuid
language plpgsql stable set search_path = '' as $$
begin
  return query
    select (j.data -> 'payload' ->> 'event_id')::uuid from pgboss.job_common j
    where j.name in ('events', 'events_dead') and j.state <= 'active' and j.data ->> 'job' = 'platform.deliver_event'
    union all
    select event.id::uuid from pgboss.job_common j, jsonb_array_elements_text(j.data -> 'payload' -> 'event_ids') as event (id)
    where j.name in ('events', 'events_dead') and j.state <= 'active' and j.data ->> 'job' = 'platform.deliver_events';
end $$;
