import type { QueueDb } from '../boss.ts'

export async function grantTableAccess(db: QueueDb): Promise<void> {
  // One string is one transaction: without the policy or a grant, enqueueing would fail in between.
  await db.executeSql(grants.join(';\n'))
}

/** Restricts the application role; pg-boss owns the tables, so their policies do not apply to it. */
const grants = [
  'revoke execute on all functions in schema pgboss from public',
  'grant execute on function pgboss.job_now() to app',
  'grant select on pgboss.queue to app',
  'grant insert, select (id, start_after) on pgboss.job_common to app',
  // Each of these locks out enqueueing, even if it changes nothing. A changed definition needs a new name.
  `do $$
   begin
     if not (select relrowsecurity from pg_class where oid = 'pgboss.job_common'::regclass) then
       alter table pgboss.job_common enable row level security;
     end if;
     if not exists (select from pg_policy where polrelid = 'pgboss.job_common'::regclass and polname = 'own_tenant') then
       create policy own_tenant on pgboss.job_common to app
         using (group_id = platform.current_tenant_id()::text) with check (group_id = platform.current_tenant_id()::text);
     end if;
     -- At most one waiting job per key. pg-boss's own policy for this requires a key on every job of the queue.
     if to_regclass('pgboss.job_common_waiting') is null then
       create unique index job_common_waiting on pgboss.job_common (name, singleton_key)
         where state = 'created' and singleton_key is not null and policy = 'standard';
     end if;
   end $$`,
  // Locks the waiting job until the enqueueing transaction commits, so that the job sees its changes.
  `create or replace function pgboss.hold_waiting(queue text, waiting_key text, wanted_at timestamptz) returns boolean
   language sql security definer set search_path = '' as $$
     with held as (
       update pgboss.job_common
       set start_after = least(start_after, coalesce(wanted_at, now())),
         keep_until = keep_until - (start_after - least(start_after, coalesce(wanted_at, now())))
       where name = queue and singleton_key = waiting_key and state = 'created' and policy = 'standard'
         and group_id = platform.current_tenant_id()::text
       returning id
     )
     select exists (select from held)
   $$`,
  'revoke execute on function pgboss.hold_waiting(text, text, timestamptz) from public',
  'grant execute on function pgboss.hold_waiting(text, text, timestamptz) to app',
  // Keeps created_on and with it the place in the queue.
  `create or replace function pgboss.requeue_job(queue text, old_id uuid, claim integer, new_id uuid) returns boolean
   language sql security definer set search_path = '' as $$
     with requeued as (
       update pgboss.job_common
       set id = new_id, state = 'created', retry_count = 0, started_on = null, heartbeat_on = null, start_after = now(),
         keep_until = now() + (keep_until - start_after)
       where name = queue and id = old_id and retry_count = claim and state = 'active'
         and group_id = platform.current_tenant_id()::text
       returning id
     )
     select exists (select from requeued)
   $$`,
  'revoke execute on function pgboss.requeue_job(text, uuid, integer, uuid) from public',
  'grant execute on function pgboss.requeue_job(text, uuid, integer, uuid) to app',
]
