/** Folds the words of existing posts in short transactions. Triggers fold the words of posts that are written meanwhile. */
export const foldStoredWords = `do $$
declare
  nil constant uuid := '00000000-0000-0000-0000-000000000000';
  last_tenant uuid := nil;
  last_post uuid := nil;
  batch record;
begin
  loop
    select array_agg(found.tenant_id) as tenant_ids, array_agg(found.post_id) as post_ids into batch
    from (select tenant_id, post_id from community.post_words where (tenant_id, post_id) > (last_tenant, last_post)
      order by tenant_id, post_id limit 1000) as found;
    exit when batch.post_ids is null;
    update community.post_words stored set words = (
      select string_agg('''' || replace(replace(community.fold_text(lexeme), '\\', '\\\\'), '''', '''''') || ''':' ||
        (select string_agg(place || weight, ',') from unnest(positions, weights) as word (place, weight)), ' ')::tsvector
      from unnest(stored.words))
    from unnest(batch.tenant_ids, batch.post_ids) as found (tenant_id, post_id)
    where stored.tenant_id = found.tenant_id and stored.post_id = found.post_id
      and octet_length(stored.words::text) <> length(stored.words::text);
    last_tenant := batch.tenant_ids[cardinality(batch.tenant_ids)];
    last_post := batch.post_ids[cardinality(batch.post_ids)];
    commit;
  end loop;
end $$`

export const up = (pgm) => {
  pgm.noTransaction()
  pgm.sql(foldStoredWords)
}

export const down = false
