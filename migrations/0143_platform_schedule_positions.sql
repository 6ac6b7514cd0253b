-- When the last complete run of a schedule listed the workspaces with changes. The next run looks for later changes only.
create table platform.schedule_positions (
  schedule text collate "C" not null,
  listed_at timestamptz not null,
  constraint schedule_positions_pkey primary key (schedule)
);
grant select, insert, update on platform.schedule_positions to app_system;

-- Until now every run looked for the workspaces whose rows differ from their last fold, so nothing older is left.
insert into platform.schedule_positions (schedule, listed_at) values
  ('enablement.fold_views', now() - interval '1 day'),
  ('enablement.fold_room_visits', now() - interval '1 day');

create index tenants_in_maintenance on identity.tenants (maintenance, id) where maintenance is not null;
