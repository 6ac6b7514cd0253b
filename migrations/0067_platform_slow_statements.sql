-- Statements of a workspace that took more than half a second, without their values.
create table platform.slow_statements (
  tenant_id uuid not null,
  id uuid not null,
  operation text not null constraint slow_statements_operation_length check (length(operation) <= 200),
  duration_ms integer not null,
  rows integer not null,
  request_id text constraint slow_statements_request_id_length check (length(request_id) <= 200),
  occurred_at timestamptz not null,
  constraint slow_statements_pkey primary key (tenant_id, id)
);

call platform.isolate_by_tenant('platform.slow_statements');
