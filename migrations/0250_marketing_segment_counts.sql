-- Members of segments, counted by a schedule. Not columns of the segment, because a count is no new version of it.
create table marketing.segment_counts (
  tenant_id uuid not null,
  segment_id uuid not null,
  member_count integer constraint segment_counts_member_count_range check (member_count >= 0),
  relation text collate "C" constraint segment_counts_relation_known check (relation in ('eq', 'gte')),
  counted_at timestamptz,
  -- Changes of the segment: a count that started before the last change is due again.
  changes integer not null default 0,
  due_at timestamptz not null default 'epoch',
  constraint segment_counts_pkey primary key (tenant_id, segment_id),
  constraint segment_counts_with_relation check ((member_count is null) = (relation is null)),
  constraint segment_counts_segment_exists foreign key (tenant_id, segment_id) references marketing.segments on delete cascade
) with (fillfactor = 80);
create index segment_counts_by_due on marketing.segment_counts (tenant_id, due_at, segment_id);
create index segment_counts_due on marketing.segment_counts (due_at, tenant_id);
insert into marketing.segment_counts (tenant_id, segment_id) select tenant_id, id from marketing.segments;
call platform.isolate_by_tenant('marketing.segment_counts');
grant select (tenant_id, due_at) on marketing.segment_counts to app_retention;
create policy maintenance_select on marketing.segment_counts for select to app_retention
  using (platform.current_tenant_id() is null);

-- By triggers, so that segments of an import and of an older version are counted too.
create function marketing.add_segment_count() returns trigger
language plpgsql as $$
begin
  insert into marketing.segment_counts (tenant_id, segment_id) values (new.tenant_id, new.id) on conflict do nothing;
  return null;
end $$;
create trigger add_count after insert on marketing.segments
  for each row execute function marketing.add_segment_count();

-- The count of other rules says nothing about the segment.
create function marketing.reset_segment_count() returns trigger
language plpgsql as $$
begin
  update marketing.segment_counts
    set member_count = null, relation = null, counted_at = null, changes = changes + 1, due_at = 'epoch'
    where tenant_id = new.tenant_id and segment_id = new.id;
  return null;
end $$;
create trigger reset_count after update of rules, kind, state on marketing.segments
  for each row when ((old.rules, old.kind, old.state) is distinct from (new.rules, new.kind, new.state))
  execute function marketing.reset_segment_count();
