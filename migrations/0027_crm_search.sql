-- LIKE is not leakproof: under row-level security it would read every record of the tenant. These run as app_search, to which
-- all rows are open, and therefore name the tenant themselves; they give away ids only. Planned for each term.
create policy search on crm.leads for select to app_search using (true);
create policy search on crm.contacts for select to app_search using (true);
create policy search on crm.accounts for select to app_search using (true);
create policy search on crm.opportunities for select to app_search using (true);
grant select (tenant_id, id, search_text, deleted_at) on crm.leads, crm.contacts, crm.accounts, crm.opportunities to app_search;

create function crm.search_leads(words text[], cap integer) returns setof uuid
  language plpgsql stable security definer rows 100
  set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare patterns text[] := crm.search_patterns(words);
begin
  return query select id from crm.leads
    where tenant_id = platform.current_tenant_id() and deleted_at is null
      and search_text like patterns[1] and search_text like all (patterns[2:])
    limit cap;
end $$;

create function crm.search_contacts(words text[], cap integer) returns setof uuid
  language plpgsql stable security definer rows 100
  set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare patterns text[] := crm.search_patterns(words);
begin
  return query select id from crm.contacts
    where tenant_id = platform.current_tenant_id() and deleted_at is null
      and search_text like patterns[1] and search_text like all (patterns[2:])
    limit cap;
end $$;

create function crm.search_accounts(words text[], cap integer) returns setof uuid
  language plpgsql stable security definer rows 100
  set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare patterns text[] := crm.search_patterns(words);
begin
  return query select id from crm.accounts
    where tenant_id = platform.current_tenant_id() and deleted_at is null
      and search_text like patterns[1] and search_text like all (patterns[2:])
    limit cap;
end $$;

create function crm.search_opportunities(words text[], cap integer) returns setof uuid
  language plpgsql stable security definer rows 100
  set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare patterns text[] := crm.search_patterns(words);
begin
  return query select id from crm.opportunities
    where tenant_id = platform.current_tenant_id() and deleted_at is null
      and search_text like patterns[1] and search_text like all (patterns[2:])
    limit cap;
end $$;

grant create on schema crm to app_search;
alter function crm.search_leads owner to app_search;
alter function crm.search_contacts owner to app_search;
alter function crm.search_accounts owner to app_search;
alter function crm.search_opportunities owner to app_search;
revoke create on schema crm from app_search;
grant execute on function crm.search_leads, crm.search_contacts, crm.search_accounts, crm.search_opportunities to app;
