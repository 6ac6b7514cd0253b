-- Null: half of the duration of a video, 0 for other modules. The seconds of a video could not be left open before, so 0 becomes null.
alter table enablement.learning_modules alter column min_seconds drop not null;
alter table enablement.learning_modules no force row level security;
update enablement.learning_modules set min_seconds = null where kind = 'video' and min_seconds = 0;
alter table enablement.learning_modules force row level security;
