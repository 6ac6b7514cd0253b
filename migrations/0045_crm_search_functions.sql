-- LIKE and @> are not leakproof: under row-level security they would read every text of the tenant. These functions run as app_search,
-- to which all rows are open, and therefore name the tenant themselves; they return only ids. OFFSET 0 keeps the
-- planner from reading the primary key of the tenant as well; with less memory, frequent words would be hashed again for each row.
create function crm.search_records(type text, words text[], cap integer) returns setof uuid
  language plpgsql stable security definer rows 100
  set search_path = '' set enable_seqscan = off set work_mem = '16MB'
as $$
declare
  tenant uuid := platform.current_tenant_id();
  grams bigint[] := crm.word_grams(tenant, type, words);
  patterns text[] := crm.search_patterns(words);
begin
  return query
    select record_id from (
      select tenant_id, record_type, record_id, search_text from crm.search_texts
      where crm.text_grams(tenant_id, record_type, search_text) @> grams offset 0) as candidate
    where tenant_id = tenant and record_type = type and search_text like all (patterns)
    limit cap;
end $$;

-- Returns the number of matching leads up to the cap, and the ids of the first ones in the default order after a position.
create function crm.search_leads_by_priority(
  words text[], cap integer, page_size integer, after_rank smallint, after_created_at timestamptz, after_id uuid,
  out matches integer, out ids uuid[])
  language plpgsql stable security definer
  set search_path = '' set enable_seqscan = off set work_mem = '16MB'
as $$
declare
  tenant uuid := platform.current_tenant_id();
  grams bigint[] := crm.word_grams(tenant, 'lead', words);
  patterns text[] := crm.search_patterns(words);
begin
  with found as materialized (
    select record_id, priority_rank, created_at from (
      select tenant_id, record_type, record_id, search_text, priority_rank, created_at from crm.search_texts
      where crm.text_grams(tenant_id, record_type, search_text) @> grams offset 0) as candidate
    where tenant_id = tenant and record_type = 'lead' and search_text like all (patterns)
    limit cap)
  select (select count(*) from found), array(
    select record_id from found
    where after_id is null or (priority_rank, created_at, record_id) > (after_rank, after_created_at, after_id)
    order by priority_rank, created_at, record_id limit page_size)
  into matches, ids;
end $$;

grant create on schema crm to app_search;
alter function crm.search_records owner to app_search;
alter function crm.search_leads_by_priority owner to app_search;
revoke create on schema crm from app_search;
grant execute on function crm.search_records, crm.search_leads_by_priority to app;

-- Processes of the previous version call these until they are restarted.
create or replace function crm.search_leads(words text[], cap integer) returns setof uuid
  language sql stable rows 100 begin atomic select crm.search_records('lead', words, cap); end;
create or replace function crm.search_contacts(words text[], cap integer) returns setof uuid
  language sql stable rows 100 begin atomic select crm.search_records('contact', words, cap); end;
create or replace function crm.search_accounts(words text[], cap integer) returns setof uuid
  language sql stable rows 100 begin atomic select crm.search_records('account', words, cap); end;
create or replace function crm.search_opportunities(words text[], cap integer) returns setof uuid
  language sql stable rows 100 begin atomic select crm.search_records('opportunity', words, cap); end;

drop policy search on crm.leads;
drop policy search on crm.contacts;
drop policy search on crm.accounts;
drop policy search on crm.opportunities;
drop index crm.leads_by_text, crm.contacts_by_text, crm.accounts_by_text, crm.opportunities_by_text;
