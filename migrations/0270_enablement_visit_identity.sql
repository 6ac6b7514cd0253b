-- The identity of a visit is what this visit proved. It is null in visits of the previous version.
-- Heartbeats are measured from the last heartbeat, because other events do not say how long the visitor was active.
alter table enablement.room_visits
  add column last_heartbeat_at timestamptz,
  add column gate_version integer not null default 1,
  add column identity text collate "C"
    constraint room_visits_identity_known check (identity in ('anonymous', 'claimed', 'verified'));

-- Views of a visit count when the visit does. Files with pages or a duration are completed by progress only.
alter table enablement.content_views
  add column last_heartbeat_at timestamptz,
  add column is_counted boolean not null default true,
  add column has_progress boolean not null default false;

-- Visits that passed an older password must enter the new one.
alter table enablement.room_links add column gate_version integer not null default 1;

create function enablement.count_gate_version() returns trigger language plpgsql as $$
begin
  if new.password_hash is not null and new.password_hash is distinct from old.password_hash then
    new.gate_version := old.gate_version + 1;
  end if;
  return new;
end $$;
create trigger count_gate_version before update of password_hash on enablement.room_links
  for each row execute function enablement.count_gate_version();
