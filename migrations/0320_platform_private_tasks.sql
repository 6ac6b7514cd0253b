-- Only the user who started a private task sees it.
alter table platform.background_tasks add column is_private boolean not null default false;
