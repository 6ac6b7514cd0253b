-- A replay has all headers that follow from the result, not only Location.
alter table platform.idempotency_keys
  drop constraint idempotency_keys_only_location,
  add constraint idempotency_keys_headers_known
    check (headers - array['etag', 'link', 'location', 'x-total-count', 'x-total-relation'] = '{}') not valid;
