-- `file_facts` has what the upload found about the columns, by their position: orders of dates, forms of numbers and repeated keys.
alter table crm.imports
  add column file_facts jsonb not null default '{}',
  add column state_before_undo text collate "C" constraint imports_state_before_undo_known check (
    state_before_undo in ('completed', 'failed', 'cancelled'));

-- Why an undo left the record of the row.
alter table crm.import_rows add column kept_reason text collate "C" constraint import_rows_kept_reason_known check (
  kept_reason in ('deleted', 'edited', 'not_allowed', 'activity', 'email', 'deal', 'rejected'));
