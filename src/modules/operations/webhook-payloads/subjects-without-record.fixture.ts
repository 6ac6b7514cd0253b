/** Subject types whose events have no `object`. */
export const subjectsWithoutRecord: Record<string, string> = {
  certificate: 'The code is known to the holder and coaches, but all roles can read its events.',
  coaching_session: 'Only the seller and coaches can read a session, but all roles can read its events.',
  email: 'The API has no resource for sent emails, and an event can be about a batch of them.',
  expert_request: 'Only the requester, experts and managers can read a request, but all roles can read its events.',
  import: 'Only its creator, managers and admins can read an import, but all roles can read its events.',
  export: 'Only managers and admins can read an export, but all roles can read its events.',
  learning_enrollment: 'Only the learner and coaches can read an enrollment, but all roles can read its events.',
  login: 'A failed sign-in changes no record; it can be for an unknown user.',
  person: 'A person is an email address or phone number; the data has the ids of leads and contacts.',
  pitch_submission: 'Only the author, coaches and reviewers can read a pitch, but all roles can read its events.',
  question_bank: 'Only managers and admins can read the answers of a question bank, but all roles can read its events.',
  readiness: 'Only the user, leads and managers can read a readiness, but all roles can read its events.',
  settings: 'The data has the section and the changed fields; the whole document is not sent to other systems.',
  task: 'A task can be read only by admins and the user who started it, but all roles can read its events.',
  tenant: 'The API has no resource for the workspace.',
  webhook: 'A test of an endpoint changes no record.',
}
