alter table community.post_words force row level security;

-- Returns matches that pass the filters, up to a number. Hidden and deleted posts are left out unless they are asked for; which of them
-- the caller may see is checked under the caller's own policies. Columns of texts cannot be read by the role of the function.
create policy search on community.threads for select to app_search using (true);
create policy search on community.replies for select to app_search using (true);
grant select (tenant_id, id, room_id, author_id, kind, accepted_reply_id, hidden_at, deleted_at) on community.threads to app_search;
grant select (tenant_id, id, hidden_at, deleted_at) on community.replies to app_search;
create function community.search_threads(
  search text, in_room uuid, not_in_rooms uuid[], kinds text[], by_author uuid, is_unanswered boolean, among_threads uuid[],
  with_hidden boolean, with_deleted boolean, cap integer)
  returns table (thread_id uuid, post_id uuid, reply_no integer, rank real)
  language plpgsql stable security definer rows 100
  set search_path = '' set enable_seqscan = off set plan_cache_mode = force_custom_plan
as $$
declare
  query tsquery := community.search_query(community.fold_text(search));
begin
  return query
    select found.thread_id, found.post_id, found.reply_no, ts_rank(found.words, query)
    from community.post_words found
    join community.threads thread on thread.tenant_id = found.tenant_id and thread.id = found.thread_id
    left join community.replies reply on reply.tenant_id = found.tenant_id and reply.id = found.post_id
    where found.tenant_id = platform.current_tenant_id() and found.words @@ query
      and (in_room is null or thread.room_id = in_room) and not (thread.room_id = any (not_in_rooms))
      and (kinds is null or thread.kind = any (kinds))
      and (by_author is null or thread.author_id = by_author)
      and (is_unanswered is null or (thread.kind = 'question' and (thread.accepted_reply_id is null) = is_unanswered))
      and (among_threads is null or thread.id = any (among_threads))
      and (with_hidden or (thread.hidden_at is null and reply.hidden_at is null))
      and (with_deleted or (thread.deleted_at is null and reply.deleted_at is null))
    limit cap;
end $$;
grant create on schema community to app_search;
alter function community.search_threads owner to app_search;
revoke create on schema community from app_search;
grant execute on function community.search_threads to app;
