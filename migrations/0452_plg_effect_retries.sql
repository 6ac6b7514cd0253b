-- Failed effects wait longer after each attempt, so that they do not stop others.
alter table plg.qualifications
  add column effects_failures integer not null default 0,
  add column effects_retry_at timestamptz;

create index actor_marks_by_seq on plg.actor_marks (tenant_id, ingest_seq, actor_id);
