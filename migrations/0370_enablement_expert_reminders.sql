-- When the expert of an accepted request was reminded of its due time; null again when a new due time begins.
alter table enablement.expert_requests add column expert_reminded_at timestamptz;
