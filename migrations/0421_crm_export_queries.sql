-- Filters of the list whose records are exported.
alter table crm.exports add column query jsonb;
