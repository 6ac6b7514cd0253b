-- Text without case and accents, so that a search for zurich finds Zürich. Letters that Unicode does not decompose are replaced.
create function community.fold_text(value text) returns text language sql immutable strict parallel safe return
  case when octet_length(value) = length(value) then lower(value collate "C") else
    normalize(replace(replace(replace(replace(replace(replace(replace(replace(
      translate(regexp_replace(normalize(lower(value), NFKD), '[\u0300-\u036f]', '', 'g'), 'øØłŁđĐðÐħĦı', 'oollddddhhi'),
      'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'þ', 'th'), 'Þ', 'th'), NFC) end;
grant execute on function community.fold_text to app, app_system, app_search;

create or replace function community.store_thread_words() returns trigger language plpgsql set search_path = '' as $$
begin
  insert into community.post_words (tenant_id, post_id, thread_id, words)
  values (new.tenant_id, new.id, new.id,
    setweight(to_tsvector('simple', community.fold_text(new.title)), 'A') ||
    setweight(to_tsvector('simple', community.fold_text(new.body_text)), 'B'))
  on conflict (tenant_id, post_id) do update set words = excluded.words;
  return null;
end $$;

create or replace function community.store_reply_words() returns trigger language plpgsql set search_path = '' as $$
begin
  insert into community.post_words (tenant_id, post_id, thread_id, reply_no, words)
  values (new.tenant_id, new.id, new.thread_id, new.reply_no,
    setweight(to_tsvector('simple', community.fold_text(new.body_text)), 'B'))
  on conflict (tenant_id, post_id) do update set words = excluded.words;
  return null;
end $$;

-- The last word of a search matches as a prefix.
create function community.search_query(search text) returns tsquery language sql immutable strict parallel safe return
  (select (case when right(words, 1) = '''' then words || ':*' else words end)::tsquery
    from (select websearch_to_tsquery('simple'::regconfig, search)::text as words) as parsed);
grant execute on function community.search_query to app_search;

-- Only the previous version calls this function, also while the words of existing posts are not folded yet.
create or replace function community.search_posts(search text, cap integer)
  returns table (thread_id uuid, post_id uuid, reply_no integer, rank real)
  language plpgsql stable security definer rows 100
  set search_path = '' set enable_seqscan = off set plan_cache_mode = force_custom_plan
as $$
declare
  query tsquery := community.search_query(search) || community.search_query(community.fold_text(search));
begin
  return query
    select found.thread_id, found.post_id, found.reply_no, ts_rank(found.words, query) from community.post_words found
    where found.tenant_id = platform.current_tenant_id() and found.words @@ query
    limit cap;
end $$;

-- Lets the next migration see the words of all workspaces; the one after it reverts this.
alter table community.post_words no force row level security;
