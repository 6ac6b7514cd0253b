-- The leads that have the points of a qualification. It replaces `qualifications.scored_lead_id`, which the previous version still writes.
create table plg.qualification_leads (
  tenant_id uuid not null,
  qualification_id uuid not null,
  lead_id uuid not null,
  constraint qualification_leads_pkey primary key (tenant_id, qualification_id, lead_id),
  constraint qualification_leads_qualification_exists foreign key (tenant_id, qualification_id) references plg.qualifications on delete cascade,
  constraint qualification_leads_lead_exists foreign key (tenant_id, lead_id) references crm.leads on delete cascade
);
create index qualification_leads_by_lead on plg.qualification_leads (tenant_id, lead_id);

alter table plg.qualifications no force row level security;
insert into plg.qualification_leads (tenant_id, qualification_id, lead_id)
select tenant_id, id, scored_lead_id from plg.qualifications where scored_lead_id is not null;
-- The next run stores which leads have the points of an account.
update plg.qualifications set effects_due = true where is_account and lost_at is null;
alter table plg.qualifications force row level security;

call platform.isolate_by_tenant('plg.qualification_leads');
