-- Request id and W3C traceparent of the request that caused an event, which its deliveries pass on to logs and traces.
alter table platform.outbox_events add column trace jsonb;

-- Replaces claim_outbox_deliveries, which workers of the previous version call, and also returns the trace.
create function platform.claim_event_deliveries(batch integer)
returns table (id uuid, tenant_id uuid, origin text, trace jsonb, consumers text[])
language sql volatile set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off
begin atomic
  with claimed as (
    select e.id from platform.outbox_events e where e.published_at is null order by e.id limit batch for update skip locked
  )
  update platform.outbox_events e set published_at = now()
  where e.published_at is null and e.id = any (array(select c.id from claimed c))
  returning e.id, e.tenant_id, e.origin, e.trace, array(
    select r.consumer from platform.event_consumers r where r.type = e.type and r.seen_at > now() - interval '1 hour');
end;
grant execute on function platform.claim_event_deliveries(integer) to app_system;
