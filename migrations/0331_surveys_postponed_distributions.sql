-- When the emails above a daily limit are sent.
alter table surveys.distributions add column continues_at timestamptz;
