-- Search texts of leads, contacts, accounts and deals that are not deleted. Triggers copy them from the records. The index
-- contains hashes of the tenant, the record type and a part of a word, so a search reads nothing of other tenants. Leads also have the
-- columns of their default order; these are not indexed, so that their updates are HOT.
create table crm.search_texts (
  tenant_id uuid not null,
  record_type text not null constraint search_texts_type_known check (record_type in ('lead', 'contact', 'account', 'opportunity')),
  record_id uuid not null,
  search_text text not null,
  priority_rank smallint,
  created_at timestamptz,
  primary key (tenant_id, record_type, record_id)
) with (fillfactor = 90);

-- Returns every part of a word that a search can ask for: 5 letters, 3 letters, and the first letters of the word with the space
-- before them.
create function crm.text_grams(tenant_id uuid, record_type text, search_text text) returns bigint[]
  language plpgsql immutable parallel safe cost 1000
as $$
declare
  seed bigint := hashtextextended(record_type, uuid_hash_extended(tenant_id, 0));
  word text;
  grams bigint[] := '{}';
begin
  foreach word in array string_to_array(search_text, ' ') loop
    continue when word = '';
    word := ' ' || word;
    grams := grams || hashtextextended(left(word, 2), seed);
    for place in 1..length(word) - 2 loop
      grams := grams || hashtextextended(substr(word, place, 3), seed);
    end loop;
    for place in 2..length(word) - 4 loop
      grams := grams || hashtextextended(substr(word, place, 5), seed);
    end loop;
  end loop;
  return grams;
end $$;

-- Returns hashes that the text of a match contains: of parts that cover each word. Like crm.search_patterns, it searches for the start
-- of words if the first word has fewer than 3 letters; otherwise shorter words have no hash.
create function crm.word_grams(tenant_id uuid, record_type text, words text[]) returns bigint[]
  language plpgsql immutable parallel safe
as $$
declare
  seed bigint := hashtextextended(record_type, uuid_hash_extended(tenant_id, 0));
  word text;
  size integer;
  grams bigint[] := '{}';
begin
  foreach word in array words loop
    size := case when length(word) < 5 then 3 else 5 end;
    if length(words[1]) < 3 then
      grams := grams || hashtextextended(left(' ' || word, 3), seed);
    end if;
    if length(word) >= size then
      for place in 1..length(word) - size by size loop
        grams := grams || hashtextextended(substr(word, place, size), seed);
      end loop;
      grams := grams || hashtextextended(right(word, size), seed);
    end if;
  end loop;
  return grams;
end $$;
grant execute on function crm.text_grams, crm.word_grams to app, app_system, app_search;

create function crm.copy_search_text() returns trigger
language plpgsql as $$
declare
  type text := tg_argv[0];
  rank smallint;
  created timestamptz;
begin
  if tg_op = 'DELETE' or new.deleted_at is not null then
    delete from crm.search_texts where tenant_id = old.tenant_id and record_type = type and record_id = old.id;
    return null;
  end if;
  if type = 'lead' then
    rank := new.priority_rank;
    created := new.created_at;
  end if;
  insert into crm.search_texts (tenant_id, record_type, record_id, search_text, priority_rank, created_at)
    values (new.tenant_id, type, new.id, new.search_text, rank, created)
    on conflict on constraint search_texts_pkey do update
    set search_text = excluded.search_text, priority_rank = excluded.priority_rank, created_at = excluded.created_at;
  return null;
end $$;

-- Copies the existing records before the triggers block writers, then what has changed in the meantime. The view reads the records of
-- all tenants under the policies of its owner.
grant select (priority_rank, created_at) on crm.leads to app_search;
create view crm.searchable_records as
  select tenant_id, 'lead' as record_type, id as record_id, search_text, priority_rank, created_at from crm.leads where deleted_at is null
  union all select tenant_id, 'contact', id, search_text, null, null from crm.contacts where deleted_at is null
  union all select tenant_id, 'account', id, search_text, null, null from crm.accounts where deleted_at is null
  union all select tenant_id, 'opportunity', id, search_text, null, null from crm.opportunities where deleted_at is null;
grant create on schema crm to app_search;
alter view crm.searchable_records owner to app_search;

insert into crm.search_texts (tenant_id, record_type, record_id, search_text, priority_rank, created_at)
  select tenant_id, record_type, record_id, search_text, priority_rank, created_at from crm.searchable_records;
set local maintenance_work_mem = '256MB';
create index search_texts_by_grams on crm.search_texts using gin (crm.text_grams(tenant_id, record_type, search_text))
  with (gin_pending_list_limit = 1024);
analyze crm.search_texts;

create trigger copy_new_text after insert on crm.leads
  for each row when (new.deleted_at is null) execute function crm.copy_search_text('lead');
create trigger copy_changed_text after update on crm.leads
  for each row when (old.search_text <> new.search_text or old.deleted_at is distinct from new.deleted_at
    or old.priority_rank <> new.priority_rank or old.created_at <> new.created_at)
  execute function crm.copy_search_text('lead');
create trigger delete_text after delete on crm.leads for each row execute function crm.copy_search_text('lead');

create trigger copy_new_text after insert on crm.contacts
  for each row when (new.deleted_at is null) execute function crm.copy_search_text('contact');
create trigger copy_changed_text after update on crm.contacts
  for each row when (old.search_text <> new.search_text or old.deleted_at is distinct from new.deleted_at)
  execute function crm.copy_search_text('contact');
create trigger delete_text after delete on crm.contacts for each row execute function crm.copy_search_text('contact');

create trigger copy_new_text after insert on crm.accounts
  for each row when (new.deleted_at is null) execute function crm.copy_search_text('account');
create trigger copy_changed_text after update on crm.accounts
  for each row when (old.search_text <> new.search_text or old.deleted_at is distinct from new.deleted_at)
  execute function crm.copy_search_text('account');
create trigger delete_text after delete on crm.accounts for each row execute function crm.copy_search_text('account');

create trigger copy_new_text after insert on crm.opportunities
  for each row when (new.deleted_at is null) execute function crm.copy_search_text('opportunity');
create trigger copy_changed_text after update on crm.opportunities
  for each row when (old.search_text <> new.search_text or old.deleted_at is distinct from new.deleted_at)
  execute function crm.copy_search_text('opportunity');
create trigger delete_text after delete on crm.opportunities for each row execute function crm.copy_search_text('opportunity');

delete from crm.search_texts copied where not exists (
  select from crm.searchable_records record where (record.tenant_id, record.record_type, record.record_id)
    = (copied.tenant_id, copied.record_type, copied.record_id));
insert into crm.search_texts (tenant_id, record_type, record_id, search_text, priority_rank, created_at)
  select tenant_id, record_type, record_id, search_text, priority_rank, created_at from crm.searchable_records record
  where not exists (
    select from crm.search_texts copied where (copied.tenant_id, copied.record_type, copied.record_id)
      = (record.tenant_id, record.record_type, record.record_id) and copied.search_text = record.search_text
      and copied.priority_rank is not distinct from record.priority_rank and copied.created_at is not distinct from record.created_at)
  on conflict on constraint search_texts_pkey do update
  set search_text = excluded.search_text, priority_rank = excluded.priority_rank, created_at = excluded.created_at;
drop view crm.searchable_records;
revoke create on schema crm from app_search;
revoke select on crm.leads, crm.contacts, crm.accounts, crm.opportunities from app_search;

call platform.isolate_by_tenant('crm.search_texts');
create policy search on crm.search_texts for select to app_search using (true);
grant select on crm.search_texts to app_search;
