/** Does the state of things allow it? */
export const stateErrors = {
  conflict: {
    status: 409,
    title: 'The state does not allow it',
    meaning: 'The request is fine by itself, but not at this moment. The message says why.',
    action: 'Read the record again, put right what the message names, then repeat the request.',
  },
  idempotency_claim_lost: {
    status: 409,
    title: 'Another try with the same key was faster',
    meaning: 'The request stood still for so long that a repetition with the same Idempotency-Key took its place.',
    action: 'Send it again with the same key: it is answered as the other one was.',
  },
  already_exists: {
    status: 409,
    title: 'There is one already',
    meaning: 'Something that may exist only once does. The member existing_id names it where it can be told.',
    action: 'Use what exists, or choose another value.',
  },
  invalid_transition: {
    status: 409,
    title: 'There is no way from here to there',
    meaning: 'A record goes from one state to another only by certain steps. The member allowed lists them.',
    action: 'Choose one of the steps that are allowed.',
  },
  last_admin: {
    status: 409,
    title: 'Somebody must stay an admin',
    meaning: 'This is the last active admin of the workspace.',
    action: 'Make somebody else an admin first.',
  },
  self_change: {
    status: 409,
    title: 'Not for yourself',
    meaning: 'Nobody changes their own role or status, resets their own password as an admin, or acts as themselves.',
    action: 'Ask another admin, or change the password with POST /api/auth/change-password.',
  },
  currency_in_use: {
    status: 409,
    title: 'The base currency cannot change any more',
    meaning: 'Amounts are stored that were counted in it.',
    action: 'Keep the currency. A new workspace can have another one.',
  },
  lead_converted: {
    status: 409,
    title: 'The lead was converted',
    meaning: 'It became a contact of an account. Of the lead itself only notes and tags still change.',
    action: 'Change the contact or the account that it names.',
  },
  selection_changed: {
    status: 409,
    title: 'Other records are meant by now',
    meaning: 'The filter matches more or fewer records than expected_count says. The member actual tells how many.',
    action: 'Look at the list again, then repeat the request with the count it shows.',
  },
  processing_restricted: {
    status: 409,
    title: 'The person has restricted the use of their data',
    meaning: 'Their data is kept, and nothing else may be done with it.',
    action: 'Leave it. If the restriction was lifted, note that in the consent of the record first.',
  },
  stage_in_use: {
    status: 409,
    title: 'There are deals in the stage',
    meaning: 'A stage that is to go still has deals, deleted ones included. The member counts tells how many.',
    action: 'Say in move_to to which stage they move, then repeat the request.',
  },
  has_dependents: {
    status: 409,
    title: 'Something depends on it',
    meaning: 'Other records cannot do without it. The member counts says how many there are of which kind.',
    action: 'Close, move or delete them first.',
  },
  task_finished: {
    status: 409,
    title: 'The task has ended',
    meaning: 'There is nothing left to cancel.',
    action: 'Read its result with GET /api/tasks/{task_id}/status.',
  },
  confirmation_missing: {
    status: 409,
    title: 'This has to be confirmed',
    meaning: 'What was asked for cannot be undone, so it has to be said twice.',
    action: 'Repeat it with the confirmation the message names.',
  },
  link_expired: {
    status: 410,
    title: 'The link is no longer good',
    meaning: 'It was used already, or its time is over.',
    action: 'Ask for a new one.',
  },
  version_mismatch: {
    status: 412,
    title: 'Somebody was faster',
    meaning: 'The record has changed since the version that If-Match names.',
    action: 'Read it again, then repeat the change with its new ETag.',
  },
}
