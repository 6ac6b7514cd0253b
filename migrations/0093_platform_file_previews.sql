-- What jobs find out about a file after its upload. `pending` until then, `unavailable` if there is no tool for its type.
alter table platform.files
  add column preview_state text collate "C" not null default 'unavailable'
    constraint files_preview_state_known check (preview_state in ('pending', 'ready', 'unavailable', 'failed')),
  add column page_count integer constraint files_page_count_range check (page_count between 1 and 100000),
  add column duration_seconds numeric(10, 3) constraint files_duration_positive check (duration_seconds >= 0),
  add column thumbnail_file_id uuid,
  add column extracted_text text constraint files_extracted_text_length check (length(extracted_text) <= 200000),
  add constraint files_thumbnail_exists foreign key (tenant_id, thumbnail_file_id) references platform.files
    on delete set null (thumbnail_file_id) deferrable initially immediate;
create index files_by_thumbnail on platform.files (tenant_id, thumbnail_file_id) where thumbnail_file_id is not null;
