-- A relay creates deliveries for every registered consumer, however long ago its processes were seen: after a suspended machine or
-- a changed clock all of them look old. Has the same signature as before, so that relays of the previous version do the same.
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
    where r.type = e.type
      and (not r.is_opt_in or exists (
        select from platform.event_consumer_tenants t where t.tenant_id = e.tenant_id and t.consumer = r.consumer)));
end;
