-- The oldest migration that a process must know to run with this schema. Processes of an older version that know it may start, so
-- that they can be restarted during an upgrade. A migration that breaks the previous version sets it to its own name.
create table platform.schema_compatibility (
  is_only_row boolean not null default true
    constraint schema_compatibility_pkey primary key
    constraint schema_compatibility_one_row check (is_only_row),
  compatible_since text not null
);
insert into platform.schema_compatibility (compatible_since) values ('0104_platform_schema_compatibility');
grant select on platform.schema_compatibility to app, app_system;
