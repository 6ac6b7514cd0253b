-- What the language models of a workspace have used up, by calendar month in UTC. A call is booked with the most it may cost before
-- it begins, and put right when it is over; one that nobody came back from stays booked.
create table platform.ai_usage (
  tenant_id uuid not null,
  month date not null constraint ai_usage_month_begins check (extract(day from month) = 1),
  tokens bigint not null constraint ai_usage_tokens_counted check (tokens >= 0),
  constraint ai_usage_pkey primary key (tenant_id, month)
);

call platform.isolate_by_tenant('platform.ai_usage');
