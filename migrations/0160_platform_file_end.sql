-- Files of exports have an end from the start.
alter table platform.files drop constraint files_deleted_with_date;
alter table platform.files add constraint files_deleted_with_date check (deleted_at is null or delete_after is not null) not valid;
alter table platform.files validate constraint files_deleted_with_date;
