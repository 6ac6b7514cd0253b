-- Emails of a workspace per day in its time zone: places taken under the daily limit, and emails that came back.
create table crm.email_send_counters (
  tenant_id uuid not null,
  day date not null,
  emails integer not null default 0 constraint email_send_counters_emails_not_negative check (emails >= 0),
  bounced integer not null default 0 constraint email_send_counters_bounced_not_negative check (bounced >= 0),
  complained integer not null default 0 constraint email_send_counters_complained_not_negative check (complained >= 0),
  constraint email_send_counters_pkey primary key (tenant_id, day)
) with (fillfactor = 70);
call platform.isolate_by_tenant('crm.email_send_counters');

-- Emails of a user per day to addresses that are no lead or contact.
create table crm.email_address_counters (
  tenant_id uuid not null,
  day date not null,
  user_id uuid not null,
  emails integer not null constraint email_address_counters_not_negative check (emails >= 0),
  constraint email_address_counters_pkey primary key (tenant_id, day, user_id)
) with (fillfactor = 70);
call platform.isolate_by_tenant('crm.email_address_counters');

-- `counted_on` is the day whose place the email has, so that a further attempt on this day takes no second one.
alter table crm.email_messages add column counted_on date, add column created_by uuid;
