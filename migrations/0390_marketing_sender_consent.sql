-- Whether other users may choose the sender for persons whom they enroll.
alter table marketing.cadence_senders add column others_may_enroll boolean not null default false;
