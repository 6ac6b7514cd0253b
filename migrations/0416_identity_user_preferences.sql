-- Apart from the user, so that a changed column of a list does not change the version of the user.
create table identity.user_preferences (
  tenant_id uuid not null,
  user_id uuid not null,
  focus text constraint user_preferences_focus_known check (focus in ('sell', 'market', 'enable', 'train', 'support', 'operate')),
  pinned text[] not null default '{}' constraint user_preferences_pinned_count check (cardinality(pinned) <= 12),
  collapsed text[] not null default '{}' constraint user_preferences_collapsed_count check (cardinality(collapsed) <= 12),
  -- In a column of its own, because the rest is read every minute.
  lists jsonb not null default '{}' constraint user_preferences_lists_object check (jsonb_typeof(lists) = 'object'),
  version integer not null default 0,
  constraint user_preferences_pkey primary key (tenant_id, user_id),
  constraint user_preferences_user_exists foreign key (tenant_id, user_id) references identity.users on delete cascade
);
call platform.isolate_by_tenant('identity.user_preferences');
