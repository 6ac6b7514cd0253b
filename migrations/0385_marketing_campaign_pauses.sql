-- Cadences pause with their campaign and continue with it.
alter table marketing.cadences drop constraint cadences_paused_reason_known;
alter table marketing.cadences
  add constraint cadences_paused_reason_known check (paused_reason in ('bounces', 'restored', 'campaign'));
