-- A preview is a visit of a seller that looks like one of a buyer and counts nothing.
alter table enablement.room_visits add column is_preview boolean not null default false;
