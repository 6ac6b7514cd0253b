alter table crm.custom_fields add column is_searchable boolean not null default false;
create or replace trigger count_version before update of label, description, type, options, validation, default_value, is_required,
  is_unique, is_filterable, is_searchable, is_active, is_personal, group_label, position, maps_to, deleted_at
  on crm.custom_fields for each row execute function platform.count_version();

-- Normalized values of searchable custom fields. The trigger appends them to `search_text`, which other statements set without them.
create function crm.append_custom_text() returns trigger
language plpgsql as $$
declare
  separator constant text := ' ' || chr(31);
begin
  new.search_text := split_part(new.search_text, separator, 1);
  if new.custom_text <> '' then
    new.search_text := new.search_text || separator || ' ' || new.custom_text;
  end if;
  return new;
end $$;

alter table crm.leads add column custom_text text not null default '';
create trigger append_custom_text before insert or update of search_text, custom_text on crm.leads
  for each row when (new.custom_text <> '' or strpos(new.search_text, chr(31)) > 0) execute function crm.append_custom_text();
alter table crm.contacts add column custom_text text not null default '';
create trigger append_custom_text before insert or update of search_text, custom_text on crm.contacts
  for each row when (new.custom_text <> '' or strpos(new.search_text, chr(31)) > 0) execute function crm.append_custom_text();
alter table crm.accounts add column custom_text text not null default '';
create trigger append_custom_text before insert or update of search_text, custom_text on crm.accounts
  for each row when (new.custom_text <> '' or strpos(new.search_text, chr(31)) > 0) execute function crm.append_custom_text();
alter table crm.opportunities add column custom_text text not null default '';
create trigger append_custom_text before insert or update of search_text, custom_text on crm.opportunities
  for each row when (new.custom_text <> '' or strpos(new.search_text, chr(31)) > 0) execute function crm.append_custom_text();
