-- The revision that the path had when the deactivation of the learner withdrew the enrollment. Null for other withdrawals, which the
-- reactivation does not undo.
alter table enablement.learning_enrollments add column deactivated_revision integer,
  add constraint learning_enrollments_deactivated check (deactivated_revision is null or status = 'withdrawn');
