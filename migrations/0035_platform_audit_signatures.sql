-- Seals are signed with a key that only workers have, so that no other holder of the database role can replace them.
alter table platform.audit_seals
  add column key_id text constraint audit_seals_key_id_shape check (key_id ~ '^[A-Za-z0-9_-]{1,32}$'),
  add column signature bytea constraint audit_seals_signature_length check (octet_length(signature) = 32);

-- Not validated: seals from before this migration have no signature, and no role but the owner can add further ones.
alter table platform.audit_seals
  add constraint audit_seals_are_signed check (key_id is not null and signature is not null) not valid;
