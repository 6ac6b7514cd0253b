-- Text search is not leakproof, so under row-level security it would read all words of the tenant. The function runs as
-- app_search, names the tenant itself and returns only ids, numbers and ranks. The last word of the search matches as a prefix.
create policy search on community.post_words for select to app_search using (true);
grant select on community.post_words to app_search;
create function community.search_posts(search text, cap integer)
  returns table (thread_id uuid, post_id uuid, reply_no integer, rank real)
  language plpgsql stable security definer rows 100
  set search_path = '' set enable_seqscan = off set plan_cache_mode = force_custom_plan
as $$
declare
  words text := websearch_to_tsquery('simple'::regconfig, search)::text;
  query tsquery := (case when right(words, 1) = '''' then words || ':*' else words end)::tsquery;
begin
  return query
    select found.thread_id, found.post_id, found.reply_no, ts_rank(found.words, query) from community.post_words found
    where found.tenant_id = platform.current_tenant_id() and found.words @@ query
    limit cap;
end $$;
grant create on schema community to app_search;
alter function community.search_posts owner to app_search;
revoke create on schema community from app_search;
grant execute on function community.search_posts to app;

-- Posts whose HTML a job renders again when the version of the renderer rises.
create index threads_by_renderer on community.threads (tenant_id, renderer_version) where purged_at is null;
create index replies_by_renderer on community.replies (tenant_id, renderer_version) where purged_at is null;
