-- Number of users whom mentions in the post have notified. Edits cannot notify any number of users.
alter table community.threads add column notified_mentions smallint not null default 0;
alter table community.replies add column notified_mentions smallint not null default 0;
